import { type Item, isRef } from "../../adapter/adapter.ts";
import type { Draw } from "../../simulation/draw.ts";
import type { Group } from "./part.ts";
import { type Concealment, forms } from "./program.ts";

/** Draws the values that the plan of an edit does not show. */

/** Kinds that are often deleted, which only known values decide: other edits conceal their values more often. */
const deleted: ReadonlySet<string> = new Set([
  ...["volume", "bucket", "floating-ip", "access-key", "ai-pod", "object", "image", "instance-batch"],
]);

/** Inputs of each kind that decide about a danger when an object is created or stays. */
const deciding: Readonly<Record<string, readonly string[]>> = {
  "security-group-rule": [
    "remoteIpPrefix",
    "remoteIpPrefix",
    "protocol",
    "portRangeMin",
    "portRangeMax",
    "direction",
  ],
  "port-security-groups": ["securityGroups"],
  "instance-batch": ["machineCount", "name"],
  "floating-ip": ["portId", "name"],
  "volume-attachment": ["instanceId"],
  "bucket-policy": ["readWriteIps", "readOnlyIps"],
  "account-policy": ["statements"],
  "access-key": ["rotateWhenChanged", "name"],
  "ai-pod": ["exposeHttpPorts", "exposeTcpPorts", "powerState", "restartWhenChanged", "name"],
  "lifecycle-rule": ["expirationDays", "noncurrentDays", "newerNoncurrentVersions", "enabled"],
  instance: ["securityGroups", "powerState", "restartWhenChanged", "userData", "deleteOnTermination"],
  volume: ["sizeGb", "metadata", "volumeType", "source"],
  port: ["securityGroups"],
  bucket: ["anonymousAccess", "anonymousAccess", "tags", "forceDestroy"],
  object: ["content", "bucketId"],
  image: ["description"],
};

/** Draws how the plan shows the values that decide about the dangers of an object; undefined for known values. */
function concealmentOf(draw: Draw, old: Item | undefined, next: Item | undefined): Concealment | undefined {
  const one = next ?? old;
  const fields = deciding[one?.resource ?? ""];
  if (one === undefined || fields === undefined) return undefined;
  const present = fields.filter((name) => one.inputs[name] !== undefined);
  // A delete has no planned values.
  if (next === undefined)
    return present.length > 0 && draw.chance(0.35)
      ? { form: "sensitive", inputs: [draw.pick(present)] }
      : undefined;
  const form = draw.pick(
    deleted.has(one.resource)
      ? (["known", "unknown", "unknown", "unknown", "sensitive", "sensitive"] as const)
      : forms,
  );
  if (form === "known") return undefined;
  const differing = Object.keys({ ...old?.inputs, ...next.inputs }).filter(
    (name) => JSON.stringify(old?.inputs[name]) !== JSON.stringify(next.inputs[name]),
  );
  if (old !== undefined && differing.length > 0) return { form, inputs: differing };
  return present.length > 0 && draw.chance(0.7) ? { form, inputs: [draw.pick(present)] } : undefined;
}

/** Draws the concealments of the objects and the actions of a group. */
export function* concealmentsOf(
  draw: Draw,
  { before, after, actions = [], isKnown }: Group,
): Generator<[string, Concealment]> {
  // An action decides itself what happens to its object.
  const targets = new Set(
    actions.flatMap(({ inputs }) => Object.values(inputs).map((value) => (isRef(value) ? value.ref : value))),
  );
  const names = new Set(
    [...before, ...after].map(({ name }) => name).filter((name) => !isKnown && !targets.has(name)),
  );
  for (const name of names) {
    const [old, next] = [before, after].map((stack) => stack.find((one) => one.name === name));
    const concealment = concealmentOf(draw.fork(name), old, next);
    if (concealment !== undefined) yield [name, concealment];
  }
  for (const { name, inputs } of actions) {
    const form = draw.fork(name).pick(["known", "unknown", "sensitive"] as const);
    if (form !== "known") yield [name, { form, inputs: Object.keys(inputs) }];
  }
}
