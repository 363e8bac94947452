import type { Emulator } from "../../../emulator/emulator.ts";
import { type Item, isRef, type Stack } from "../../adapter/adapter.ts";
import { sizeWithout, spanOf } from "./address-space.ts";
import type { ClassName } from "./class.ts";
import type { StoredObject } from "./engine.ts";

/** Compares the emulator before and after an edit to find the effects on each object of the stack. */

/** Objects of the emulator at one time, and the state of the engine. */
export interface Snapshot {
  readonly stack: Stack;
  readonly stored: readonly StoredObject[];
  readonly objects: readonly CloudObject[];
}

/** Object of the emulator with the fields that the comparison reads. */
interface CloudObject {
  readonly kind: string;
  readonly krn: string;
  readonly name: string;
  readonly parents: readonly string[];
  readonly uses?: readonly string[];
  /** Boot volume of an instance; undefined for other kinds, like the fields below. */
  readonly volume?: { readonly krn: string };
  readonly portKrn?: string;
  readonly batchId?: string | null;
  /** Ports that a floating IP was attached to, in order. */
  readonly places?: readonly { readonly port: string | null }[];
  /** ETag of an object in a bucket. */
  readonly etag?: string;
  /** True if a bucket is public. */
  readonly anonymous?: boolean;
  /** KRNs of the security groups of a rule. */
  readonly groups?: readonly string[];
  readonly direction?: string;
  readonly ethertype?: string;
  readonly protocol?: string;
  readonly portMin?: number;
  readonly portMax?: number;
  readonly remote?: string;
  /** Fields of the create request of a pod. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Returns a snapshot. Omits the ids of deleted groups, which rules in the emulator keep. */
export function snapshotOf(
  { inventory }: Pick<Emulator, "inventory">,
  stack: Stack,
  stored: readonly StoredObject[],
): Snapshot {
  const objects = inventory.list() as unknown as readonly CloudObject[];
  const existing = new Set(objects.map(({ krn }) => krn));
  return {
    stack,
    stored,
    objects: objects.map((one) =>
      one.groups === undefined ? one : { ...one, groups: one.groups.filter((krn) => existing.has(krn)) },
    ),
  };
}

/** Request of an edit that the emulator executed. */
export interface CloudEvent {
  readonly operation: "stop" | "restart" | "guarded delete";
  /** KRN of the instance, pod or bucket; undefined for an access key, whose id the log masks. */
  readonly krn: string | undefined;
}

/**
 * Dangers that happened to an object: "hit" for a danger of this object, "shared" for one that is counted for another object of
 * the stack, such as the address of an instance that is a separate resource.
 */
export type Witness = Partial<Record<ClassName, "hit" | "shared">>;

/** Witnesses by the name of the object in the stack; omits objects to which no danger happened. */
export type Witnesses = Readonly<Record<string, Witness>>;

/** Returns the effects of an edit. Throws an error if the log and the objects of the emulator contradict each other. */
export function witnessesOf(before: Snapshot, after: Snapshot, events: readonly CloudEvent[]): Witnesses {
  const found = new Map<string, Witness>();
  const note = (name: string | undefined, danger: ClassName, what: "hit" | "shared" = "hit") => {
    if (name === undefined) return;
    const own = found.get(name) ?? {};
    if (own[danger] !== "hit") found.set(name, { ...own, [danger]: what });
  };
  noteDestroyed(before, after, note);
  noteLostAddresses(before, after, note);
  noteOpened(before, after, note);
  noteInterrupted(before, after, events, note);
  notePasswords(before, after, events, note);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Note = (name: string | undefined, danger: ClassName, what?: "hit" | "shared") => void;

const ofKind = (objects: readonly CloudObject[], kind: string) => objects.filter((one) => one.kind === kind);

/** Returns the objects of a kind that no longer exist. */
function goneOf(before: Snapshot, after: Snapshot, kind: string): CloudObject[] {
  const left = new Set(after.objects.map(({ krn }) => krn));
  return ofKind(before.objects, kind).filter(({ krn }) => !left.has(krn));
}

const itemOf = ({ stack }: Snapshot, name: string): Item | undefined =>
  stack.find((item) => item.name === name);

/** Returns the name in the stack of the object with this id. */
const nameOfId = ({ stored }: Snapshot, id: string | undefined): string | undefined =>
  stored.find((one) => one.id === id)?.name;

const idOfName = ({ stored }: Snapshot, name: string): string | undefined =>
  stored.find((one) => one.name === name)?.id;

/** Returns the name in the stack of an instance: its own, or that of its batch. */
function nameOfInstance(snapshot: Snapshot, { krn, name, batchId }: CloudObject): string | undefined {
  if (batchId === null || batchId === undefined) return nameOfId(snapshot, krn);
  return snapshot.stack.find(
    ({ resource, inputs }) => resource === "instance-batch" && name.startsWith(`${String(inputs.name)}-`),
  )?.name;
}

/** Notes destroyed data. Assumes that volumes, pods and images of a stack contain data. */
function noteDestroyed(before: Snapshot, after: Snapshot, note: Note): void {
  for (const { krn } of goneOf(before, after, "volume")) {
    const machine = ofKind(before.objects, "instance").find(({ volume }) => volume?.krn === krn);
    note(nameOfId(before, krn) ?? (machine && nameOfInstance(before, machine)), "data");
  }
  for (const kind of ["ai_pod", "image"])
    for (const { krn } of goneOf(before, after, kind)) note(nameOfId(before, krn), "data");
  // An object that was renamed or moved to another bucket still exists under another key.
  const contents = new Set(ofKind(after.objects, "object").map(({ etag }) => etag));
  for (const one of goneOf(before, after, "object")) {
    if (contents.has(one.etag)) continue;
    const bucket = nameOfId(before, one.parents[0]);
    const own = before.stack.find(
      ({ resource, inputs }) =>
        resource === "object" &&
        inputs.key === one.name &&
        isRef(inputs.bucketId) &&
        inputs.bucketId.ref === bucket,
    );
    note(own?.name ?? bucket, "data");
    if (own !== undefined) note(bucket, "data", "shared");
  }
}

function noteLostAddresses(before: Snapshot, after: Snapshot, note: Note): void {
  for (const { krn, places = [] } of goneOf(before, after, "floating_ip")) {
    const port = places.at(-1)?.port;
    const machine = ofKind(before.objects, "instance").find(({ portKrn }) => portKrn === port);
    const holder = machine && nameOfInstance(before, machine);
    const own = nameOfId(before, krn);
    note(own ?? holder, "address");
    if (own !== undefined) note(holder, "address", "shared");
  }
}

/** Range of ports of one protocol and address family in which no rule begins or ends. */
interface Segment {
  readonly protocol: string;
  readonly ethertype: string;
  readonly first: number;
  readonly last: number;
}

const transports = ["tcp", "udp"];
const families = ["IPv4", "IPv6"];

/** Returns the segments between the bounds of the ports of these rules. */
function segmentsOf(rules: readonly CloudObject[]): Segment[] {
  const bounds = rules.flatMap(({ portMin = 1, portMax = 65_535 }) => [portMin, portMax + 1]);
  const sorted = [...new Set(bounds)].toSorted((a, b) => a - b);
  return transports.flatMap((protocol) =>
    families.flatMap((ethertype) =>
      sorted
        .slice(0, -1)
        .map((first, at) => ({ protocol, ethertype, first, last: (sorted[at + 1] ?? first) - 1 })),
    ),
  );
}

/** Returns the ranges of the rules of a group that allow traffic to these ports. */
const rangesTo = (rules: readonly CloudObject[], groups: readonly string[], segment: Segment) =>
  rules
    .filter(
      ({ direction, ethertype, protocol, portMin = 1, portMax = 65_535, groups: own = [] }) =>
        direction === "ingress" &&
        ethertype === segment.ethertype &&
        (protocol === "all" || protocol === segment.protocol) &&
        portMin <= segment.first &&
        segment.last <= portMax &&
        own.some((group) => groups.includes(group)),
    )
    .map(({ remote = "" }) => spanOf(remote));

/** Share of all addresses above which a port counts as open to every address. */
const openShare = 0.5;

function noteOpened(before: Snapshot, after: Snapshot, note: Note): void {
  const [oldRules, newRules] = [before, after].map(({ objects }) =>
    ofKind(objects, "security_group_rule"),
  ) as [CloudObject[], CloudObject[]];
  const segments = segmentsOf([...oldRules, ...newRules]);
  const isSame = (rule: CloudObject, old: CloudObject): boolean =>
    rule.krn === old.krn && JSON.stringify(rule.groups) === JSON.stringify(old.groups);
  for (const rule of newRules) {
    if (oldRules.some((old) => isSame(rule, old))) continue;
    const groups = (rule.groups ?? []).flatMap((krn) => [krn, ...groupBefore(before, after, krn)]);
    const opens = segments.some((segment) => {
      const own = rangesTo([rule], rule.groups ?? [], segment);
      return sizeWithout(own, rangesTo(oldRules, groups, segment)) >= openShare;
    });
    if (opens) note(nameOfId(after, rule.krn), "opened");
  }
  for (const { name, list } of groupLists(after)) {
    const old = groupLists(before).find((one) => one.name === name)?.list ?? [];
    const joined = list.filter((krn) => !old.includes(krn));
    const opens = segments.some((segment) => {
      // Only rules that exist before and after: a port that a rule opens with this edit is noted for the rule.
      const through = rangesTo(
        oldRules.filter((rule) => newRules.some((other) => isSame(rule, other))),
        joined,
        segment,
      );
      return sizeWithout(through, rangesTo(oldRules, old, segment)) >= openShare;
    });
    if (opens) note(name, "opened");
  }
  for (const { name, resource } of after.stack) {
    const [then, now] = [before, after].map((snapshot) => podPorts(snapshot, name)) as [number[], number[]];
    if (resource === "ai-pod" && now.some((port) => !then.includes(port))) note(name, "opened");
    const [was, is] = [before, after].map((snapshot) => isPublic(snapshot, name));
    if (resource === "bucket" && is && !was) note(name, "opened");
  }
}

/** Returns the group that a group replaced: the one with the same name in the stack. */
function groupBefore(before: Snapshot, after: Snapshot, krn: string): string[] {
  const name = nameOfId(after, krn);
  const old = name === undefined ? undefined : idOfName(before, name);
  return old === undefined ? [] : [old];
}

/** Returns the security groups of each port that an object of the stack sets. */
function groupLists(snapshot: Snapshot): { readonly name: string; readonly list: readonly string[] }[] {
  return snapshot.stack.flatMap(({ name, resource }) => {
    const id = idOfName(snapshot, name);
    const machine = snapshot.objects.find(({ kind, krn }) => kind === "instance" && krn === id);
    const port = machine?.portKrn ?? id;
    const found = snapshot.objects.find(({ kind, krn }) => kind === "port" && krn === port);
    const sets = resource === "instance" || resource === "port" || resource === "port-security-groups";
    // The list of a port that another object of the stack sets belongs to that object.
    const isOwn = resource !== "port" || itemOf(snapshot, name)?.inputs.securityGroups !== undefined;
    return sets && isOwn && found !== undefined ? [{ name, list: found.uses ?? [] }] : [];
  });
}

function podPorts(snapshot: Snapshot, name: string): number[] {
  const id = idOfName(snapshot, name);
  const fields = snapshot.objects.find(({ kind, krn }) => kind === "ai_pod" && krn === id)?.fields ?? {};
  const listed = [fields.expose_http_ports, fields.expose_tcp_ports]
    .flatMap((list) => String(list ?? "").split(","))
    .filter((port) => port !== "")
    .map(Number);
  return [...listed, ...(fields.has_jupyter_notebook ? [8888] : []), ...(fields.has_ssh_access ? [22] : [])];
}

function isPublic(snapshot: Snapshot, name: string): boolean {
  const id = idOfName(snapshot, name);
  return snapshot.objects.some(
    ({ kind, krn, anonymous }) => kind === "bucket" && krn === id && anonymous === true,
  );
}

function noteInterrupted(before: Snapshot, after: Snapshot, events: readonly CloudEvent[], note: Note): void {
  for (const { operation, krn } of events) {
    if (operation === "guarded delete") continue;
    const machine = before.objects.find((one) => one.krn === krn);
    if (machine === undefined) continue;
    note(
      machine.kind === "instance" ? nameOfInstance(before, machine) : nameOfId(before, krn),
      "interrupted",
    );
  }
  for (const { name, resource } of before.stack) {
    if (!["instance", "instance-batch", "ai-pod"].includes(resource)) continue;
    const [old, now] = [before, after].map((snapshot) => idOfName(snapshot, name));
    if (now !== undefined && now !== old) note(name, "interrupted");
  }
}

function notePasswords(before: Snapshot, after: Snapshot, events: readonly CloudEvent[], note: Note): void {
  const guarded = events.filter(({ operation }) => operation === "guarded delete");
  for (const { krn } of guarded) if (krn !== undefined) note(nameOfId(before, krn), "password");
  const keys = goneOf(before, after, "access_key");
  const count = guarded.filter(({ krn }) => krn === undefined).length;
  if (count !== keys.length)
    throw new Error(`${keys.length} access keys are gone, but the log holds ${count} of their deletes`);
  for (const { name } of keys) note(nameOfId(before, name), "password");
}
