import type { Item, Stack, Written } from "../adapter/adapter.ts";

/** One dangerous change of a small shop, the same for every engine. Its plans are the fixtures of the review. */

const of = (ref: string, property = "id") => ({ ref, property });
const item = (name: string, resource: string, inputs: Written): Item => ({ name, resource, inputs });
const inShop = { vpcId: of("shop") };
const ubuntu = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+";
const rule = { ...inShop, securityGroupId: of("web"), direction: "ingress", protocol: "tcp" };

/** Value that no output of the review may show. */
export const canary = "canary-Tq7xL0pW";

/** The deployed stack. */
export const before: Stack = [
  item("deploy", "ssh-key", { name: "deploy", publicKey }),
  item("shop", "vpc", { name: "shop" }),
  item("front", "subnet", { ...inShop, name: "front", cidr: "10.0.1.0/24" }),
  item("web", "security-group", { ...inShop, name: "web" }),
  item("ssh", "security-group-rule", {
    ...rule,
    portRangeMin: 22,
    portRangeMax: 22,
    remoteIpPrefix: "10.0.0.0/8",
  }),
  item("https", "security-group-rule", {
    ...rule,
    portRangeMin: 443,
    portRangeMax: 443,
    remoteIpPrefix: "0.0.0.0/0",
  }),
  item("orders", "volume", { ...inShop, name: "orders", sizeGb: 20, volumeType: "ssd" }),
  item("archive", "volume", {
    ...inShop,
    name: "archive",
    sizeGb: 20,
    volumeType: "ssd",
    metadata: { team: "shop" },
  }),
  item("logs", "volume", { ...inShop, name: "logs", sizeGb: 20, volumeType: "ssd" }),
  item("machine", "instance", {
    ...inShop,
    name: "machine",
    instanceType: "c1.small",
    subnetId: of("front"),
    sshkeyName: of("deploy", "name"),
    securityGroups: [of("web")],
    floatingIp: true,
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    userData: `#!/bin/sh\necho ${canary}\n`,
    powerState: "running",
  }),
  item("worker", "instance", {
    ...inShop,
    name: "worker",
    instanceType: "c1.small",
    subnetId: of("front"),
    sshkeyName: of("deploy", "name"),
    securityGroups: [of("web")],
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    powerState: "running",
  }),
  item("backups", "bucket", { name: "backups", versioning: true }),
  item("reports", "access-key", { name: "reports" }),
];

const changed: Readonly<Record<string, Written>> = {
  ssh: { remoteIpPrefix: "0.0.0.0/0" },
  orders: { availabilityZone: "nova-2" },
  archive: { sizeGb: 30, metadata: { team: "data", tier: "cold" } },
  machine: { instanceType: "c1.large", userData: `#!/bin/sh\necho ${canary} again\n` },
  worker: { powerState: "stopped" },
  backups: { versioning: false, anonymousAccess: true },
};

/** The stack of the reviewed revision. */
export const after: Stack = [
  ...before
    .filter(({ name }) => name !== "logs" && name !== "reports")
    .map((one) => ({ ...one, inputs: { ...one.inputs, ...changed[one.name] } as Written })),
  item("queue", "volume", { ...inShop, name: "queue", sizeGb: 10, volumeType: "ssd" }),
];
