import type { Emulator } from "../../../emulator/emulator.ts";
import { type Item, isRef } from "../../adapter/adapter.ts";
import { families, familyOf, publicShare, type Span, spanOf } from "./address-space.ts";
import type { ClassName } from "./class.ts";
import type { State } from "./engine.ts";
import type { Version } from "./program.ts";

/** Compares the emulator before and after an edit to find the effects on each object of the stack. */

/** Objects of the emulator at one time, and the state of the engine. */
export interface Snapshot {
  readonly version: Version;
  readonly state: State;
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
  /** Port that was reserved with a floating IP. */
  readonly reservedPort?: string | null;
  /** True if an instance ran before its last power action. */
  readonly running?: boolean;
  readonly move?: { readonly action: string };
  /** Addresses that the policy of a bucket allows. */
  readonly readWriteIps?: readonly string[];
  readonly readOnlyIps?: readonly string[];
  /** Statements of a policy of the account, in JSON. */
  readonly statements?: string;
  /** True if a lifecycle rule is in force. */
  readonly enabled?: boolean;
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
  /** Fields of the last request of a pod or a lifecycle rule. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Returns a snapshot. Omits the ids of deleted groups, which rules in the emulator keep. */
export function snapshotOf(
  { inventory }: Pick<Emulator, "inventory">,
  version: Version,
  state: State,
): Snapshot {
  const objects = inventory.list() as unknown as readonly CloudObject[];
  const existing = new Set(objects.map(({ krn }) => krn));
  return {
    version,
    state,
    objects: objects.map((one) =>
      one.groups === undefined ? one : { ...one, groups: one.groups.filter((krn) => existing.has(krn)) },
    ),
  };
}

/** Request of an edit that the emulator executed. */
export interface CloudEvent {
  readonly operation: "stop" | "restart" | "guarded delete" | "end of all keys" | "delete of a checkpoint";
  /** KRN of the instance, pod or bucket, or name of the checkpoint; undefined for an access key, whose id the log masks. */
  readonly target: string | undefined;
}

/**
 * Dangers that happened to an object: "hit" for a danger of this object, "shared" for one that is counted for another object of
 * the stack, such as the address of an instance that is a separate resource.
 */
export type Witness = Partial<Record<ClassName, "hit" | "shared">>;

/** Witnesses by the name of the object in the stack; omits objects to which no danger happened. */
export type Witnesses = Readonly<Record<string, Witness>>;

/** Returns the effects of an edit. Throws an error if the log and the objects of the emulator contradict each other. */
export function witnessesOf(
  before: Snapshot,
  after: Snapshot,
  events: readonly CloudEvent[],
  secrets: Readonly<Record<string, string>>,
): Witnesses {
  const found = new Map<string, Witness>();
  const note = (name: string | undefined, danger: ClassName, what: "hit" | "shared" = "hit") => {
    if (name === undefined) return;
    const own = found.get(name) ?? {};
    if (own[danger] !== "hit") found.set(name, { ...own, [danger]: what });
  };
  noteDestroyed(before, after, note);
  noteLostAddresses(before, after, note);
  noteOpened(before, after, note);
  noteDiscarded(before, after, note);
  noteDetached(before, after, note);
  notePublished(before, after, note);
  noteShown(before, after, secrets, note);
  noteActions(after, events, note);
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

const itemOf = ({ version }: Snapshot, name: string): Item | undefined =>
  version.stack.find((item) => item.name === name);

/** Returns the name in the stack of the object with this id, of which the engine may have the last part only. */
const nameOfId = ({ state }: Snapshot, id: string | undefined): string | undefined =>
  state.objects.find((one) => one.id === id || id?.endsWith(`:${one.id}`))?.name;

const idOfName = ({ state }: Snapshot, name: string): string | undefined =>
  state.objects.find((one) => one.name === name)?.id;

/** Returns the object of a stack with this key in a bucket. */
const objectItem = ({ version }: Snapshot, bucket: string | undefined, key: string): Item | undefined =>
  version.stack.find(
    ({ resource, inputs }) =>
      resource === "object" && inputs.key === key && isRef(inputs.bucketId) && inputs.bucketId.ref === bucket,
  );

/** Returns the name in the stack of an instance: its own, or that of its batch. */
function nameOfInstance(snapshot: Snapshot, { krn, name, batchId }: CloudObject): string | undefined {
  if (batchId === null || batchId === undefined) return nameOfId(snapshot, krn);
  return snapshot.version.stack.find(
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
    const own = objectItem(before, bucket, one.name);
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
  readonly ethertype: (typeof families)[number];
  readonly first: number;
  readonly last: number;
}

const transports = ["tcp", "udp"];

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

/** Share of the public addresses from which a port or a bucket counts as open to many. */
const openShare = 1 / 16;

function noteOpened(before: Snapshot, after: Snapshot, note: Note): void {
  const [oldRules, newRules] = [before, after].map(({ objects }) =>
    ofKind(objects, "security_group_rule"),
  ) as [CloudObject[], CloudObject[]];
  const segments = segmentsOf([...oldRules, ...newRules]);
  const isSame = (rule: CloudObject, old: CloudObject): boolean =>
    rule.krn === old.krn && JSON.stringify(rule.groups) === JSON.stringify(old.groups);
  for (const rule of newRules) {
    if (oldRules.some((old) => isSame(rule, old))) continue;
    const groups = rule.groups ?? [];
    const oldGroups = groups.flatMap((krn) => [krn, ...groupBefore(before, after, krn)]);
    const others = newRules.filter((one) => one !== rule);
    const opens = segments.some((segment) => {
      const [own, rest, old] = [
        rangesTo([rule], groups, segment),
        rangesTo(others, groups, segment),
        rangesTo(oldRules, oldGroups, segment),
      ];
      const newShare = (spans: readonly Span[]) => publicShare(segment.ethertype, spans, old);
      const sum = newShare([...own, ...rest]);
      // A rule that adds nothing to the others opens nothing, unless it opens as much alone.
      return sum >= openShare && (newShare(own) >= openShare || newShare(rest) < sum);
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
      return publicShare(segment.ethertype, through, rangesTo(oldRules, old, segment)) >= openShare;
    });
    if (opens) note(name, "opened");
  }
  for (const { name, resource } of after.version.stack) {
    const [then, now] = [before, after].map((snapshot) => podPorts(snapshot, name)) as [number[], number[]];
    if (resource === "ai-pod" && now.some((port) => !then.includes(port))) note(name, "opened");
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
  return snapshot.version.stack.flatMap(({ name, resource }) => {
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

/** Ages in days, and numbers of newer versions, at which a lifecycle rule is tried. */
const ages = Array.from({ length: 100 }, (_, days) => days);
const versions = [0, 1, 2, 3, 4, 5, 6];

/** Returns the current objects and the versions that these rules delete, each by its age and its newer versions. */
function deletedBy(rules: readonly CloudObject[]): ReadonlySet<string> {
  const deleted = new Set<string>();
  for (const { enabled, fields = {} } of rules) {
    if (enabled !== true) continue;
    const number = (name: string) => fields[name] as number | undefined;
    const [expiration, age, newer] = [
      number("expiration_days"),
      number("noncurrent_days"),
      number("newer_noncurrent_versions"),
    ];
    for (const days of ages) {
      if (expiration !== undefined && days >= expiration) deleted.add(`current ${days}`);
      for (const count of versions)
        if ((age !== undefined || newer !== undefined) && days >= (age ?? 0) && count >= (newer ?? 0))
          deleted.add(`version ${days} ${count}`);
    }
  }
  return deleted;
}

/** Notes lifecycle rules that delete what no rule of the same bucket deleted before. */
function noteDiscarded(before: Snapshot, after: Snapshot, note: Note): void {
  const [oldRules, newRules] = [before, after].map(({ objects }) => ofKind(objects, "lifecycle_rule")) as [
    CloudObject[],
    CloudObject[],
  ];
  const existing = new Set(ofKind(before.objects, "bucket").map(({ krn }) => krn));
  for (const rule of newRules) {
    const [bucket = ""] = rule.parents;
    // A new bucket is empty.
    if (!existing.has(bucket)) continue;
    const kept = deletedBy(oldRules.filter(({ parents }) => parents[0] === bucket));
    if ([...deletedBy([rule])].some((one) => !kept.has(one))) note(nameOfId(after, rule.krn), "discarded");
  }
}

/** Returns the port that receives the traffic of a floating IP: the last one, or its own if that one is gone. */
function servedPort(
  { objects }: Snapshot,
  { places = [], reservedPort }: CloudObject,
): string | null | undefined {
  const port = places.at(-1)?.port;
  return objects.some(({ kind, krn }) => kind === "port" && krn === port) ? port : reservedPort;
}

/** Notes addresses that no longer serve the port they were attached to, and volumes taken from instances that run. */
function noteDetached(before: Snapshot, after: Snapshot, note: Note): void {
  const left = new Map(after.objects.map((one) => [one.krn, one]));
  for (const address of ofKind(before.objects, "floating_ip")) {
    const now = left.get(address.krn);
    const port = servedPort(before, address);
    if (now === undefined || port === undefined || port === address.reservedPort) continue;
    if (servedPort(after, now) !== port) note(nameOfId(before, address.krn), "detached");
  }
  for (const { krn, parents } of goneOf(before, after, "volume_attachment")) {
    const machine = before.objects.find((one) => one.krn === parents[0]);
    if (machine !== undefined && isRunning(machine) && parents.every((parent) => left.has(parent)))
      note(nameOfId(before, krn), "detached");
  }
}

const isRunning = ({ running, move }: CloudObject): boolean =>
  move === undefined ? running === true : move.action !== "stop";

const bucketIn = (snapshot: Snapshot, krn: string | undefined): CloudObject | undefined =>
  snapshot.objects.find((one) => one.kind === "bucket" && one.krn === krn);

/** Notes buckets, objects and policies that more addresses or everyone can read. */
function notePublished(before: Snapshot, after: Snapshot, note: Note): void {
  /** Returns the object with the same name in the stack before. */
  const former = (krn: string) => {
    const id = idOfName(before, nameOfId(after, krn) ?? "");
    return before.objects.find((one) => one.krn === id);
  };
  for (const { krn, anonymous } of ofKind(after.objects, "bucket"))
    if (anonymous === true && former(krn)?.anonymous !== true) note(nameOfId(after, krn), "published");
  const stored = ofKind(before.objects, "object");
  for (const { name, etag, parents } of ofKind(after.objects, "object")) {
    const bucket = bucketIn(after, parents[0]);
    if (bucket?.anonymous !== true) continue;
    const old = former(bucket.krn);
    const isOf = (one: CloudObject) => one.name === name && one.etag === etag && one.parents[0] === old?.krn;
    // An object of a bucket that becomes public is counted for the bucket; one that was public before is not counted.
    const isShared = old?.anonymous !== true || (old.krn !== bucket.krn && stored.some(isOf));
    const own = objectItem(after, nameOfId(after, bucket.krn), name);
    if (isShared || !stored.some(isOf)) note(own?.name, "published", isShared ? "shared" : "hit");
  }
  const policies = (snapshot: Snapshot, bucket: string | undefined) =>
    ofKind(snapshot.objects, "bucket_policy")
      .filter(({ parents }) => parents[0] === bucket)
      .flatMap(({ readWriteIps = [], readOnlyIps = [] }) => [...readWriteIps, ...readOnlyIps]);
  for (const { name, resource } of after.version.stack) {
    if (resource !== "bucket-policy") continue;
    const [then, now] = [before, after].map((snapshot) => policies(snapshot, idOfName(snapshot, name))) as [
      string[],
      string[],
    ];
    const opens = families.some((family) => {
      const spans = (hosts: readonly string[]) =>
        hosts.filter((host) => familyOf(host) === family).map(spanOf);
      return publicShare(family, spans(now), spans(then)) >= openShare;
    });
    if (opens) note(name, "published");
  }
  for (const { krn, statements = "" } of ofKind(after.objects, "account_policy")) {
    const old = wildcardsIn(before.objects.find((one) => one.krn === krn)?.statements ?? "[]");
    if (wildcardsIn(statements).some((member) => !old.includes(member)))
      note(nameOfId(after, krn), "published");
  }
}

/** Returns the members of statements that allow something to which a wildcard is assigned. */
function wildcardsIn(statements: string): string[] {
  const rows = JSON.parse(statements) as readonly Readonly<Record<string, unknown>>[];
  return rows
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap((row) => Object.keys(row).filter((member) => [row[member]].flat().includes("*")));
}

/** Notes outputs and objects whose unmarked values contain a secret, in one of the usual encodings. */
function noteShown(
  before: Snapshot,
  after: Snapshot,
  secrets: Readonly<Record<string, string>>,
  note: Note,
): void {
  for (const [name, text] of Object.entries(secrets)) {
    const encodings = [text, Buffer.from(text).toString("base64"), encodeURIComponent(text)];
    const shows = ({ state: { outputs, objects } }: Snapshot) => {
      const shown = outputs[name] ?? objects.find((one) => one.name === name)?.shown;
      return encodings.some((one) => shown?.includes(one));
    };
    if (shows(after) && !shows(before)) note(name, "published");
  }
}

/** Returns the id of the object of an action, or its name if no object of the stack is meant. */
function targetOf(after: Snapshot, { inputs }: Version["actions"][number]): string | undefined {
  const [value] = Object.values(inputs);
  return isRef(value) ? idOfName(after, value.ref) : String(value);
}

/** Notes actions that interrupted an object, destroyed data or ended access. */
function noteActions(after: Snapshot, events: readonly CloudEvent[], note: Note): void {
  for (const action of after.version.actions) {
    const target = targetOf(after, action);
    const isDone = events.some(
      (event) =>
        event.operation === "end of all keys" ||
        (event.operation !== "guarded delete" && event.target === target),
    );
    if (isDone) note(action.name, "byAction");
  }
}

function noteInterrupted(before: Snapshot, after: Snapshot, events: readonly CloudEvent[], note: Note): void {
  const ofActions = new Set(after.version.actions.map((action) => targetOf(after, action)));
  for (const { operation, target } of events) {
    if (operation !== "stop" && operation !== "restart") continue;
    const machine = before.objects.find((one) => one.krn === target);
    if (machine === undefined) continue;
    note(
      machine.kind === "instance" ? nameOfInstance(before, machine) : nameOfId(before, target),
      "interrupted",
      ofActions.has(target) ? "shared" : "hit",
    );
  }
  for (const { name, resource } of before.version.stack) {
    if (!["instance", "instance-batch", "ai-pod"].includes(resource)) continue;
    const [old, now] = [before, after].map((snapshot) => idOfName(snapshot, name));
    if (now !== undefined && now !== old) note(name, "interrupted");
  }
}

function notePasswords(before: Snapshot, after: Snapshot, events: readonly CloudEvent[], note: Note): void {
  const guarded = events.filter(({ operation }) => operation === "guarded delete");
  for (const { target } of guarded) if (target !== undefined) note(nameOfId(before, target), "password");
  if (events.some(({ operation }) => operation === "end of all keys")) return;
  const keys = goneOf(before, after, "access_key");
  const count = guarded.filter(({ target }) => target === undefined).length;
  if (count !== keys.length)
    throw new Error(`${keys.length} access keys are gone, but the log holds ${count} of their deletes`);
  for (const { name } of keys) note(nameOfId(before, name), "password");
}
