import { z } from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { operation } from "../http/operation.ts";
import { count, ipVersion, page, regional, text } from "../http/schema.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteRow,
  dependents,
  isReady,
  listed,
  listedAt,
  live,
  lookUp,
  newRow,
  ownedBy,
  refuseEqualName,
} from "../model/cloud.ts";
import type { Noun } from "../model/resource-kind.ts";
import type { Row } from "../state/store.ts";
import { startWork, type Work, workState } from "../state/work.ts";
import { type Cidr, contains, firstHost, formatCidr, overlap, parseAddress, parseCidr } from "./cidr.ts";
import { idlePorts } from "./port-model.ts";
import { networkOf, networkTable, requireReadyVpc, requireVpc, type Vpc } from "./vpc-model.ts";

export type Subnet = Row & {
  readonly cidr: string;
  readonly gatewayIp: string;
  readonly description: string;
  readonly ipVersion: 4 | 6;
  readonly ingress: boolean;
  readonly egress: boolean;
};

export const subnetTable = (cloud: Cloud) => cloud.store.table<Subnet>("subnet");

/** The subnets of a VPC, oldest first, as the listings show them. */
export function subnetsOf(cloud: Cloud, vpc: Vpc): Subnet[] {
  return listed(cloud, subnetTable(cloud).all()).filter((subnet) => subnet.parents[0] === vpc.krn);
}

/** The subnet of a KRN in the VPC, fit to take a new child; 404 and 409 otherwise. */
export function requireSubnet(cloud: Cloud, vpc: Vpc, krn: string): Subnet {
  const missing = `subnet ${krn} not found in VPC ${vpc.name}`;
  const subnet = lookUp(cloud, subnetTable(cloud), krn, missing);
  if (subnet.parents[0] !== vpc.krn) throw new Refusal(404, missing);
  if (!isReady(cloud, subnet)) throw new Refusal(409, `subnet ${subnet.name} is not ready`);
  return subnet;
}

/** What a subnet is made from, in `create_subnet` and inside `create_vpc` (contract 2.1, 2.2). */
export type SubnetData = {
  name: string;
  cidr: string;
  gateway_ip?: string | undefined;
  description?: string | undefined;
  ip_version: 4 | 6;
  ingress?: boolean | undefined;
  egress?: boolean | undefined;
};

/** Checks the addresses: a valid CIDR of the stated version, the gateway inside. `field` leads the messages. */
export function checkAddresses(
  cloud: Cloud,
  field: string,
  data: SubnetData,
): { cidr: Cidr; gateway: string } {
  const cidr = parseCidr(data.cidr);
  if (!cidr) throw new Refusal(400, `${field}.cidr: not a CIDR such as 10.0.0.0/24`);
  if (cidr.hostBits && cloud.settings.assume.cidrHostBits === "refuse") {
    throw new Refusal(400, `${field}.cidr: has host bits set; ${formatCidr(cidr)} has not`);
  }
  if (cidr.version !== data.ip_version)
    throw new Refusal(400, `${field}.ip_version: the CIDR is IPv${cidr.version}`);
  if (!data.gateway_ip) return { cidr, gateway: firstHost(cidr) };
  const gateway = parseAddress(data.gateway_ip);
  if (!gateway) throw new Refusal(400, `${field}.gateway_ip: not an IP address`);
  if (!contains(cidr, gateway)) throw new Refusal(400, `${field}.gateway_ip: outside ${formatCidr(cidr)}`);
  return { cidr, gateway: data.gateway_ip };
}

/** Puts the subnet into the tables; 400 and 409 before anything is changed. */
export function insertSubnet(
  cloud: Cloud,
  place: { vpcKrn: string; region: string; primary: boolean; work: Work; field: string },
  data: SubnetData,
): Subnet {
  const { cidr, gateway } = checkAddresses(cloud, place.field, data);
  const siblings = live(cloud, subnetTable(cloud).all()).filter((other) => other.parents[0] === place.vpcKrn);
  refuseEqualName(cloud, siblings, place.vpcKrn, "subnet", data.name);
  for (const sibling of siblings) {
    const taken = parseCidr(sibling.cidr);
    if (taken && overlap(taken, cidr) && workState(sibling.work, cloud.now) !== "failed") {
      throw new Refusal(409, `${formatCidr(cidr)} overlaps ${sibling.cidr} of subnet ${sibling.name}`);
    }
  }
  return subnetTable(cloud).insert({
    ...newRow(cloud, "vpc", "subnet", place.region),
    name: data.name,
    parents: [place.vpcKrn],
    owned: place.primary,
    work: place.work,
    cidr: formatCidr(cidr),
    gatewayIp: gateway,
    description: data.description ?? "",
    ipVersion: data.ip_version,
    ingress: data.ingress ?? false,
    egress: data.egress ?? false,
  });
}

const createSubnet = operation({
  name: "create_subnet",
  method: "POST",
  path: "/v1/highlvlvpc/create_subnet",
  section: "2.2",
  source: "seed",
  headers: regional,
  body: z.strictObject({
    vpc_id: text,
    router_krn: text.optional(),
    subnet_data: z.strictObject({
      name: text,
      cidr: text,
      ip_version: ipVersion,
      gateway_ip: z.string().optional(),
      description: z.string().optional(),
      ingress: z.boolean().optional(),
      egress: z.boolean().optional(),
      network_id: text.optional(),
    }),
  }),
  handle(cloud, { headers, body }) {
    const { network_id, ...data } = body.subnet_data;
    refuseByName(data.name);
    const vpc = requireReadyVpc(cloud, body.vpc_id, headers["x-region"]);
    const network = networkOf(cloud, vpc);
    if (network_id !== undefined && network_id !== network?.krn) {
      throw new Refusal(404, `network ${network_id} not found in VPC ${vpc.name}`);
    }
    if (body.router_krn !== undefined && body.router_krn !== vpc.routerKrn) {
      throw new Refusal(404, `router ${body.router_krn} not found in VPC ${vpc.name}`);
    }
    if (!network || !isReady(cloud, network))
      throw new Refusal(409, `the network of VPC ${vpc.name} is not ready`);
    const work = startWork(cloud.now, cloud.settings.taskMs, failureByName(data.name));
    const place = { vpcKrn: vpc.krn, region: vpc.region, primary: false, work, field: "subnet_data" };
    return { status: 201, body: { subnet_id: insertSubnet(cloud, place, data).krn } };
  },
});

/** The word that lists other than `get_vpc` use for a part of a VPC (contract 2.2). */
export function partStatus(cloud: Cloud, row: Row): string {
  const state = workState(row.work, listedAt(cloud));
  if (state === "failed") return "ERROR";
  return state === "success" ? "ACTIVE" : "BUILD";
}

const searchSubnet = operation({
  name: "search_subnet",
  method: "GET",
  path: "/v1/highlvlvpc/search_subnet",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text, page: count.optional(), size: count.optional() }),
  // The shape is unknown (contract 17.2); this one goes by that of search_port.
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const { rows, paging } = page(subnetsOf(cloud, vpc), query);
    const subnets = rows.map((row) => ({
      krn_id: row.krn,
      name: row.name,
      cidr: row.cidr,
      gateway_ip: row.gatewayIp,
      vpc_id: vpc.krn,
      network_id: networkOf(cloud, vpc)?.krn,
      status: partStatus(cloud, row),
    }));
    return { status: 200, body: { subnets, ...paging } };
  },
});

const searchNetwork = operation({
  name: "search_network",
  method: "GET",
  path: "/v1/highlvlvpc/search_network",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const networks = listed(cloud, networkTable(cloud).all()).filter((row) => row.parents[0] === vpc.krn);
    const body = networks.map((row) => ({
      krn_id: row.krn,
      name: row.name,
      status: partStatus(cloud, row),
      vpc_id: vpc.krn,
    }));
    return { status: 200, body };
  },
});

const deleteSubnet = operation({
  name: "delete_subnet",
  method: "DELETE",
  path: "/v1/highlvlvpc/delete_subnet",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ subnet_id: text, vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const missing = `subnet ${query.subnet_id} not found`;
    const subnet = lookUp(cloud, subnetTable(cloud), query.subnet_id, missing);
    if (subnet.parents[0] !== vpc.krn) throw new Refusal(404, missing);
    if (subnet.owned) {
      const message = `${subnet.name} is the primary subnet: you cannot delete this subnet individually`;
      throw new Refusal(cloud.settings.assume.primarySubnetRefusal, message);
    }
    const idle =
      cloud.settings.assume.subnetDeleteWithPorts === "conflict" ? idlePorts(cloud, subnet.krn) : [];
    const users = new Set([...dependents(cloud, subnet.krn), ...idle].map((row) => row.name));
    if (users.size > 0) throw new Refusal(409, `subnet ${subnet.name} is in use by ${[...users].join(", ")}`);
    for (const row of [subnet, ...ownedBy(cloud, subnet.krn)]) deleteRow(cloud, row, 0);
    return { status: 200, body: { success: `subnet ${subnet.name} deleted` } };
  },
});

/** Subnets of a VPC and the network they lie in. */
export const subnetNoun: Noun = {
  name: "subnet",
  operations: [createSubnet, searchSubnet, searchNetwork, deleteSubnet],
};
