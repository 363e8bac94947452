import * as z from "zod";
import { firstHost, parseCidr } from "../network/cidr.ts";
import type { FloatingIp } from "../network/floating-ip-model.ts";
import type { Port } from "../network/port-model.ts";
import type { Rule, SecurityGroup } from "../network/security-group-model.ts";
import type { Subnet } from "../network/subnet-model.ts";
import type { Network, Vpc } from "../network/vpc-model.ts";
import { krnOf, ownerOf, uuidOf } from "../state/id.ts";
import { derivedUuid, form, krn, optionalReference, reference, references } from "./form.ts";

const vpc = form<Vpc>()(
  "vpc",
  {
    description: z.string().default(""),
    enabled: z.boolean().default(true),
    taskId: z.string().optional().describe("Task of its create. Default: derived from the KRN"),
    router: krn.optional().describe("KRN of its router. Default: derived from the KRN of the VPC"),
  },
  {
    load: ({ description, enabled, taskId, router }, { krn, createdAt }) => ({
      parents: [],
      ...{ description, enabled, builtAt: createdAt, taskId: taskId ?? derivedUuid(krn, "task") },
      routerKrn: router ?? sibling(krn, "router"),
    }),
    save: ({ description, enabled, taskId, routerKrn }) => ({
      ...{ description, enabled, taskId, router: routerKrn },
    }),
  },
);

/** Returns a KRN of the same service, region and account as another one. */
const sibling = (text: string, type: string): string => {
  const [, service = "", region = ""] = text.split(":");
  return krnOf(ownerOf(text), service, region, type, derivedUuid(text, type));
};

const network = form<Network>()(
  "network",
  { vpc: reference("vpc"), enabled: z.boolean().default(true) },
  {
    load: ({ vpc, enabled }) => ({ parents: [vpc], owned: true, adminStateUp: enabled }),
    save: ({ parents: [vpc = ""], adminStateUp }) => ({ vpc, enabled: adminStateUp }),
  },
);

const cidr = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: "must be a CIDR such as 10.0.0.0/24",
});

const subnet = form<Subnet>()(
  "subnet",
  {
    vpc: reference("vpc"),
    cidr,
    gatewayIp: z.string().optional().describe("Default: the first address of the CIDR"),
    description: z.string().default(""),
    ingress: z.boolean().default(false),
    egress: z.boolean().default(false),
    primary: z.boolean().default(false).describe("True for the subnet of the VPC's create"),
  },
  {
    load({ vpc, cidr, gatewayIp, primary, ...fields }) {
      const range = parseCidr(cidr);
      return {
        ...fields,
        ...{ parents: [vpc], owned: primary, cidr, ipVersion: range?.version ?? 4 },
        gatewayIp: gatewayIp ?? (range ? firstHost(range) : ""),
      };
    },
    save: ({ parents: [vpc = ""], cidr, gatewayIp, description, ingress, egress, owned }) => ({
      ...{ vpc, cidr, gatewayIp, description, ingress, egress, primary: owned === true },
    }),
  },
);

const securityGroup = form<SecurityGroup>()(
  "security_group",
  {
    vpc: reference("vpc"),
    description: z.string().default(""),
    type: z.string().nullable().default(null),
    deletedWithVpc: z.boolean().default(false).describe("True for the group of the VPC's create"),
  },
  {
    load: ({ vpc, description, type, deletedWithVpc }) => ({
      ...{ parents: [vpc], description, type, owned: deletedWithVpc },
    }),
    save: ({ parents: [vpc = ""], description, type, owned }) => ({
      ...{ vpc, description, type, deletedWithVpc: owned === true },
    }),
  },
);

const port = z.int().min(-1).max(65_535);

const rule = form<Rule>()(
  "security_group_rule",
  {
    vpc: optionalReference("vpc"),
    groups: references("security_group"),
    direction: z.enum(["ingress", "egress"]),
    ethertype: z.enum(["IPv4", "IPv6"]),
    protocol: z.string().min(1),
    portMin: port,
    portMax: port,
    remote: z.string().describe("CIDR"),
    description: z.string().default(""),
  },
  {
    load: ({ vpc, ...fields }) => ({ parents: vpc === null ? [] : [vpc], owned: true, ...fields }),
    save: ({ parents: [vpc = null], ...rule }) => ({
      ...{ vpc, groups: [...rule.groups], direction: rule.direction, ethertype: rule.ethertype },
      ...{ protocol: rule.protocol, portMin: rule.portMin, portMax: rule.portMax },
      ...{ remote: rule.remote, description: rule.description },
    }),
  },
);

const networkPort = form<Port>()(
  "port",
  {
    vpc: reference("vpc"),
    subnet: reference("subnet"),
    network: reference("network"),
    ip: z.string().min(1),
    mac: z.string().optional().describe("Default: derived from the KRN"),
    securityGroups: references("security_group"),
    instance: optionalReference("instance"),
    deletedWithInstance: z.boolean().default(false).describe("True for the port of the instance's create"),
    reservedWith: optionalReference("floating_ip").describe("Floating IP that was created with it"),
  },
  {
    load({ vpc, subnet, network, ip, mac, securityGroups, instance, ...port }, { krn }) {
      const isPart = port.deletedWithInstance && instance !== null;
      const { reservedWith } = port;
      return {
        parents: [isPart ? instance : subnet, ...(reservedWith === null ? [] : [reservedWith])],
        ...{ uses: securityGroups, owned: true, device: instance, ip },
        ...{ vpcKrn: vpc, subnetKrn: subnet, networkKrn: network, mac: mac ?? macOf(krn) },
      };
    },
    save: ({
      vpcKrn,
      subnetKrn,
      networkKrn,
      ip,
      mac,
      uses,
      device,
      parents: [parent, reservedWith = null],
    }) => ({
      ...{ vpc: vpcKrn, subnet: subnetKrn, network: networkKrn, ip, mac, securityGroups: [...uses] },
      ...{ instance: device, deletedWithInstance: device !== null && parent === device, reservedWith },
    }),
  },
);

const macOf = (text: string): string => `fa:16:3e:${(uuidOf(text).slice(0, 6).match(/../g) ?? []).join(":")}`;

const floatingIp = form<FloatingIp>()(
  "floating_ip",
  {
    vpc: reference("vpc"),
    subnet: reference("subnet"),
    address: z.string().min(1),
    port: optionalReference("port").describe("Port that has the address; null for none"),
    reservedPort: optionalReference("port").describe(
      "Port that was reserved with the address; null for none",
    ),
    deletedWithPort: z.boolean().default(false),
  },
  {
    load: ({ vpc, subnet, address, port, reservedPort, deletedWithPort }, { createdAt }) => ({
      parents: [vpc, subnet, ...(deletedWithPort && port !== null ? [port] : [])],
      ...{ address, reservedPort, places: [{ since: createdAt, port }] },
    }),
    save: ({ parents: [vpc = "", subnet = "", part], address, reservedPort, places }) => ({
      ...{ vpc, subnet, address, reservedPort, deletedWithPort: part !== undefined },
      port: places.length === 0 ? reservedPort : (places.at(-1)?.port ?? null),
    }),
  },
);

export const networkForms = [vpc, network, subnet, securityGroup, rule, networkPort, floatingIp];
