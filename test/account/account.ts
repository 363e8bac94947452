import { everything, type Filter } from "../../account/filter.ts";
import { type Inventory, readInventory } from "../../account/inventory.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { readOnly, type Session } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { type Item, isRef, type Stack, type Written } from "../adapter/adapter.ts";
import { type Cloud, openCloud } from "../support/cloud.ts";

/** Accounts in the emulator, without an engine. */

const of = (ref: string, property = "id") => ({ ref, property });
const item = (name: string, resource: string, inputs: Written): Item => ({ name, resource, inputs });

const inShop = { vpcId: of("shop") };
const ubuntu = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const machine = {
  ...inShop,
  instanceType: "c1.small",
  sshkeyName: "demo-key",
  subnetId: of("back"),
  securityGroups: [of("staff")],
};

/** Name in six scripts with 300 letters. */
export const longName = "Größe Ωμέγα Москва 東京 مدينة हिन्दी ".repeat(9).slice(0, 300);

/** Stack of a shop, whose objects an export can write, except the rule, the image, the batch and the access key. */
export const shop: Stack = [
  item("shop", "vpc", { name: "shop", primarySubnet: { name: "office", cidr: "10.0.0.0/24" } }),
  item("back", "subnet", { ...inShop, name: "back", cidr: "10.0.1.0/24" }),
  item("staff", "security-group", { ...inShop, name: "staff", description: 'All "staff"\nof ${shop}\n' }),
  item("rule", "security-group-rule", {
    ...inShop,
    securityGroupId: of("staff"),
    direction: "ingress",
    protocol: "tcp",
    remoteIpPrefix: "0.0.0.0/0",
  }),
  item("orders", "volume", {
    ...inShop,
    name: "orders",
    sizeGb: 20,
    volumeType: "ssd",
    metadata: { "cost center": "%{if}", team: "orders" },
  }),
  item("long", "volume", { ...inShop, name: longName, sizeGb: 1, volumeType: "ssd" }),
  item("web", "instance", {
    ...machine,
    name: "web",
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
    userData: "#!/bin/sh\necho secret-user-data\n",
    tags: { stage: "live" },
  }),
  item("shelf", "volume-attachment", {
    ...inShop,
    volumeId: of("orders"),
    instanceId: of("web"),
    mountPartition: "/dev/vdb",
  }),
  item("idle", "port", { ...inShop, name: "idle", subnetId: of("back"), securityGroups: [of("staff")] }),
  item("moved", "floating-ip", {
    ...inShop,
    name: "moved",
    subnetId: of("back"),
    portId: of("web", "portId"),
  }),
  item("reserved", "floating-ip", { ...inShop, name: "reserved", subnetId: of("back") }),
  item("worker", "instance-template", {
    ...machine,
    name: "worker",
    bootVolume: { imageKrn: ubuntu, sizeGb: 10, volumeType: "ssd" },
  }),
  item("golden", "image", { name: "golden", instanceId: of("web") }),
  item("workers", "instance-batch", {
    ...inShop,
    name: "workers",
    templateId: of("worker"),
    machineCount: 2,
  }),
  item("logs", "bucket", { name: "logs", versioning: true, tags: { stage: "live" } }),
  item("old", "lifecycle-rule", { bucketId: of("logs"), name: "old", expirationDays: 30 }),
  item("office", "bucket-policy", { bucketId: of("logs"), readOnlyIps: ["10.0.0.0/16"] }),
  item("key", "access-key", { name: "key" }),
  item("lab", "vpc", { name: "lab" }),
  // No response shows that it is not the primary one.
  item("desk", "subnet", { vpcId: of("lab"), name: "desk", cidr: "10.0.0.0/24" }),
  item("printer", "port", { vpcId: of("lab"), name: "printer", subnetId: of("desk") }),
  item("first", "volume", { vpcId: of("lab"), name: "orders", sizeGb: 5, volumeType: "ssd" }),
];

/** Stack with one object of each form that a program can have: ignored fields, a primary subnet, a comment, odd texts. */
export const smallStack: Stack = [
  item("shop", "vpc", { name: "shop" }),
  item("office", "subnet", { ...inShop, name: "office", cidr: "10.0.0.0/24" }),
  item("data", "volume", {
    ...inShop,
    name: "data",
    description: "first ${line}\nsecond\n",
    sizeGb: 20,
    volumeType: "ssd",
    metadata: { "cost center": "7" },
  }),
  item("printer", "port", { ...inShop, name: "default", subnetId: of("office") }),
  item("staff", "security-group", { ...inShop, name: "staff" }),
  item("rule", "security-group-rule", {
    ...inShop,
    securityGroupId: of("staff"),
    direction: "ingress",
    protocol: "tcp",
    remoteIpPrefix: "0.0.0.0/0",
  }),
];

/** Texts that a language of a program, an engine or a library would evaluate. */
const hostileTexts = [
  "${kcloud_vpc.shop.id}",
  "$${kcloud_vpc.shop.id}",
  "%{ if true }x%{ endif }",
  "${shop.id}",
  "${TfToken[TOKEN.0]}",
  "#{TfToken[TOKEN.0]}",
  "&{TfToken[TOKEN.0]}",
  "`${process.exit(1)}`",
  "*/ process.exit(1) //",
  '"; process.exit(1); "',
  "!!js/function 'return 1'",
  "*anchor",
];

/** Stack whose names and labels contain code: keys and values, and a key by which Pulumi YAML calls a function. */
export const hostileStack: Stack = [
  item("shop", "vpc", { name: "shop" }),
  ...hostileTexts.map((text, index) =>
    item(`volume-${index}`, "volume", {
      ...inShop,
      ...{ name: text, description: `${text}\n${text}\n`, sizeGb: 1, volumeType: "ssd" },
      metadata: { [text]: text, other: `a ${text}` },
    }),
  ),
  ...["fn::secret", "Fn::Join", "fn::stringAsset", "fn::kcloud:getVolume"].map((key, index) =>
    item(`function-${index}`, "volume", {
      ...inShop,
      ...{ name: key, sizeGb: 1, volumeType: "ssd", metadata: { [key]: "label" } },
    }),
  ),
];

/** Returns the files of a program as one text, with short ids. */
export const textOfFiles = (files: ReadonlyMap<string, string>): string =>
  [...files]
    .map(([name, content]) => `=== ${name}\n${content}`)
    .join("\n")
    .replace(/krn:(\w+):[^",\s]*:(\w+):[\da-f-]{36}/g, "krn:$1:…:$2:…");

/** Creates a stack by the engine of the provider. References point to earlier items. Returns the states by item. */
export async function createStack(cloud: Cloud, stack: Stack): Promise<ReadonlyMap<string, ResourceState>> {
  const states = new Map<string, ResourceState>();
  const resolved = (value: unknown): unknown => {
    if (isRef(value as never)) {
      const { ref, property } = value as { ref: string; property: string };
      const state = states.get(ref);
      return property === "id" ? state?.id : state?.values[property];
    }
    if (Array.isArray(value)) return value.map(resolved);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part)]))
      : value;
  };
  for (const { name, resource, inputs } of stack)
    states.set(name, await cloud.run(cloud.create(resource, resolved(inputs) as never)));
  return states;
}

/** Opens an emulator with the objects of a stack. */
export async function openAccount(stack: Stack = shop) {
  const cloud = openCloud({}, { user: "ana" });
  const states = await createStack(cloud, stack);
  return {
    cloud,
    states,
    ids: new Map([...states].map(([name, { id }]) => [name, String(id)])),
    read: (filter: Partial<Filter> = {}, session = cloud.reopen()) => read(cloud, filter, session),
  };
}

/** Reads the inventory of an account in a session of its own. */
export const read = (cloud: Cloud, filter: Partial<Filter>, session: Session): Promise<Inventory> =>
  cloud.run(
    readInventory(readOnly(session), {
      resources,
      filter: { ...everything, ...filter },
      stop: cloud.call.stop,
    }),
  );
