import type { Item, Stack, Written, WrittenValue } from "../adapter.ts";
import { inNetwork } from "../lifecycle/case.ts";
import { lifecycleCases } from "../lifecycle/lifecycle.ts";

/** Full stack: every resource, with references between them as a user writes them, and the changes of the stack. */

const of = (ref: string, property = "id") => ({ ref, property });
const item = (name: string, resource: string, inputs: Written): Item => ({ name, resource, inputs });

const inShop = { vpcId: inNetwork };
const machine = { ...inShop, instanceType: "c1.small", sshkeyName: of("deploy", "name") };
const disk = { ...inShop, sizeGb: 20, volumeType: "ssd" };
const boot = (imageKrn: WrittenValue) => ({ imageKrn, sizeGb: 10, volumeType: "ssd" }) as Written[string];
const ubuntu = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+";
const allowed = { ...inShop, direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" };

const written: Stack = [
  item("deploy", "ssh-key", { name: "deploy", publicKey }),
  item("admin", "ssh-key", { name: "admin", publicKey: `${publicKey} admin@shop` }),
  item("network", "vpc", { name: "shop", primarySubnet: { name: "office", cidr: "10.0.0.0/24" } }),
  item("front", "subnet", { ...inShop, name: "front", cidr: "10.0.1.0/24" }),
  item("back", "subnet", { ...inShop, name: "back", cidr: "10.0.2.0/24" }),
  item("visitors", "security-group", { ...inShop, name: "visitors", description: "Public clients" }),
  item("staff", "security-group", { ...inShop, name: "staff" }),
  item("audit", "security-group", { ...inShop, name: "audit" }),
  item("https", "security-group-rule", {
    ...allowed,
    securityGroupId: of("visitors"),
    portRangeMin: 443,
    portRangeMax: 443,
  }),
  item("queries", "security-group-rule", {
    ...allowed,
    securityGroupId: of("staff"),
    portRangeMin: 5432,
    portRangeMax: 5432,
  }),
  item("door", "port", { ...inShop, name: "door", subnetId: of("front") }),
  item("gate", "port", { ...inShop, name: "gate", subnetId: of("front") }),
  item("guard", "port-security-groups", { portId: of("gate"), securityGroups: [of("visitors")] }),
  item("web", "instance", {
    ...machine,
    name: "web",
    subnetId: of("front"),
    portId: of("door"),
    securityGroups: [of("visitors")],
    bootVolume: boot(ubuntu),
  }),
  item("address", "floating-ip", {
    ...inShop,
    name: "address",
    subnetId: of("front"),
    portId: of("web", "portId"),
  }),
  item("system", "volume", { ...disk, name: "system" }),
  item("orders", "volume", { ...disk, name: "orders" }),
  item("archive", "volume", { ...disk, name: "archive" }),
  item("database", "instance", {
    ...machine,
    name: "database",
    subnetId: of("back"),
    securityGroups: [of("staff")],
    volumeId: of("system"),
  }),
  item("shelf", "volume-attachment", { ...inShop, volumeId: of("orders"), instanceId: of("database") }),
  item("golden", "image", { name: "golden", instanceId: of("web") }),
  item("worker", "instance-template", {
    ...machine,
    name: "worker",
    subnetId: of("back"),
    securityGroups: [of("staff")],
    bootVolume: boot(of("golden")),
  }),
  item("workers", "instance-batch", {
    ...inShop,
    name: "worker",
    templateId: of("worker"),
    machineCount: 2,
  }),
  item("train", "ai-pod", {
    name: "train",
    templateId: 1,
    instanceType: "p1.small",
    sshkeyName: of("deploy", "name"),
    volumeDiskSizeGb: 50,
  }),
];

/** Resources that are not in the list above; the stack has their lifecycle cases, with the dependencies of the cases. */
const others = lifecycleCases.filter(({ resource }) => !written.some((item) => item.resource === resource));

/** The full stack as it is created. */
export const fullStack: Stack = [
  ...written,
  ...others.flatMap(({ resource, dependencies = [], inputs }) => [
    ...dependencies,
    item(resource, resource, inputs),
  ]),
];

/** Changed inputs of some objects, by name; other inputs stay the same. */
type Inputs = Readonly<Record<string, Written>>;

/** Changes of one apply. The dependents of a replaced object are replaced too. */
export interface Change {
  readonly updated: Inputs;
  readonly replaced: Inputs;
}

/** Changes of the stack, each applied after the previous ones. */
export const changes: Readonly<Record<string, Change>> = {
  "several objects in place, and others by replacement": {
    updated: {
      https: { securityGroupId: of("audit") },
      guard: { securityGroups: [of("staff"), of("audit")] },
      web: { securityGroups: [of("visitors"), of("audit")] },
      address: { portId: of("gate") },
      orders: { sizeGb: 30, metadata: { team: "orders" } },
      database: { powerState: "stopped" },
      workers: { machineCount: 3 },
      train: { powerState: "stopped" },
      ...Object.fromEntries(
        others.flatMap(({ resource, update }) => (update === null ? [] : [[resource, update]])),
      ),
    },
    replaced: {
      admin: { name: "root" },
      queries: { portRangeMax: 5433 },
      archive: { availabilityZone: "nova-2" },
      ...Object.fromEntries(
        others.flatMap(({ resource, update, replace }) => (update === null ? [[resource, replace]] : [])),
      ),
    },
  },
  "a subnet and an image, with all dependents": {
    updated: {},
    replaced: { back: { cidr: "10.0.3.0/24" }, golden: { description: "As of today" } },
  },
  "the network, with all dependents": { updated: {}, replaced: { network: { name: "arcade" } } },
};
