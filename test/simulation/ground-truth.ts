import type { Emulator } from "../../emulator/emulator.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import type { Values } from "../../provider/core/value.ts";
import type { WorldName } from "./checker/invariant.ts";
import { switchPod } from "./console.ts";
import { kinds, type Row } from "./kind.ts";
import type { Report } from "./report.ts";
import { isCancelled, isTwin, isUnlisted, kindOf, mainOf, maxTwins, namesOf } from "./row.ts";

/** Objects that exist in the emulator, and the provider process that created each. Ids are KRNs or their last part. */
export interface GroundTruth {
  rows(): Row[];
  exists(id: string): boolean;
  /**
   * The same as `exists`, except that cancelled work does not count, nor an object of an `unlisted` kind while it is being
   * deleted, nor an object that was created at the world time `createdBefore` in ms or later.
   */
  remains(id: string, createdBefore?: number): boolean;
  /** Returns the number of objects that the provider created. */
  made(): number;
  /** Returns true for an object that any process of the provider created. */
  isOurs(id: string): boolean;
  /** Returns the names of all objects that were created by the same request, including its own. */
  createdWith(id: string): readonly string[];
  /** Returns true if a response that names the object reached the process that created it. */
  isReported(id: string): boolean;
  /** Returns true for an object that another user created. */
  isForeign(id: string): boolean;
  /** Returns the inputs from which another user created an object; undefined if no other user did. */
  foreignInputs(id: string): Values | undefined;
  /** Runs one request of another user and records the objects that it creates from `inputs`. */
  watchOtherUser<T>(inputs: Values, request: () => T): T;
  /** Returns the objects that were created although an equal one existed (I2). */
  duplicates(): readonly Row[];
  /** Runs one request of the provider and checks the changes that it made in the cloud (I2, I13). */
  watch<T>(party: Party, what: () => string, request: () => T): T;
  /** Deletes an object with its dependents, as another user does. */
  remove(id: string): void;
  /** Lifts the protection of an object against deletion; returns false if there is none. */
  unprotect(id: string): boolean;
  /** Starts or stops a pod. */
  power(id: string, action: "start" | "stop"): void;
  /** Records the objects that a delivered response named. */
  noteReported(made: readonly string[]): void;
  /** Records the objects of a metered request that was executed and answered as if it was not. */
  noteRefused(made: readonly string[]): void;
  /** Returns true for an object of such a request. */
  isRefused(id: string): boolean;
}

/** Sender of requests: a process of the provider, with the state of its engine. */
export interface Party {
  /** KRNs of the objects that the process created. */
  readonly made: Set<string>;
  /** Returns true for an object in the state of the engine. */
  holds(id: string): boolean;
  /** Returns true for an object whose replacement the engine creates first. */
  replaces(id: string): boolean;
  /** Returns true for an equal object of another user that a create adopted and that is not in the state yet. */
  adopts(id: string): boolean;
  /** Returns true if a plan of the process showed a change of this part of an object. */
  shows(row: Row, part: Part): boolean;
  /** Returns the time in ms, without suspensions, until which a response counts as received after a stop. */
  acceptsUntil(): number;
}

/** Field of an object, or one entry of it if the field is a map or a list. */
export interface Part {
  readonly field: string;
  readonly entry: string | undefined;
}

/** Returns the parts of a value, each with its text. */
export function partsOf(
  field: string,
  value: unknown,
): Map<string, { readonly part: Part; readonly text: string }> {
  const entries: (readonly [string | undefined, unknown])[] = Array.isArray(value)
    ? value.map((item) => [String(item), true])
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [[undefined, value]];
  return new Map(
    entries.map(([entry, text]) => [
      JSON.stringify([field, entry]),
      { part: { field, entry }, text: String(text) },
    ]),
  );
}

/** Fields of an object that show whether it was changed and to what it belongs. */
interface Mark extends Pick<Row, "krn" | "kind" | "name" | "parents" | "updatedAt"> {
  readonly deletingAt: number | undefined;
  readonly goneAt: number | undefined;
  /** Values that updates write (I18). */
  readonly written: ReturnType<typeof partsOf>;
}

const isUntouched = (mark: Mark, row: Mark | undefined): boolean =>
  mark.updatedAt === row?.updatedAt && mark.deletingAt === row.deletingAt && mark.goneAt === row.goneAt;

/** Returns true for an object that is deleted or being deleted; `mark` is undefined if it is gone. */
const isLeaving = (mark: Mark | undefined): boolean => mark === undefined || mark.deletingAt !== undefined;

/** Returns true for a kind whose objects are settings of their parent, and are deleted with it. */
const isPart = (kind: string): boolean => kind === "bucket_policy" || kind === "lifecycle_rule";

/** Returns true for every kind except object sessions, which belong to no resource and expire. */
const isObject = (kind: string): boolean => kind !== "object_session";

/** Default of `settle_seconds` in ms. */
const settleMs = 120_000;

const writesOf = new Map(
  Object.entries(kinds).map(([name, { writes = {} }]) => [kindOf(name), Object.entries(writes)]),
);

/** Returns the values of a row that updates write. */
const written = (row: object, kind: string): Mark["written"] =>
  new Map(
    (writesOf.get(kind) ?? []).flatMap(([path, field]) => {
      const value = path
        .split(".")
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], row);
      return [...partsOf(field, value)];
    }),
  );

/** Returns the parts that two marks of an object show differently. */
const changedParts = (before: Mark, after: Mark): readonly Part[] =>
  [...new Map([...before.written, ...after.written])].flatMap(([key, { part }]) =>
    before.written.get(key)?.text === after.written.get(key)?.text ? [] : [part],
  );

export function createGroundTruth(
  emulator: Emulator,
  report: Report,
  world: WorldName,
  time: () => number,
): GroundTruth {
  const isBeyond = world === "beyond";
  /**
   * Names of all objects that one request created, by the KRN of each: a VPC with its network, an instance with its
   * volume.
   */
  const ours = new Map<string, readonly string[]>();
  const reported = new Set<string>();
  const refused = new Set<string>();
  const duplicates: Row[] = [];
  /** World time in ms of the last request of the provider that changed each object, by its KRN. */
  const writtenAt = new Map<string, number>();
  /** Inputs of the objects that other users created, by each name of the object. */
  const foreign = new Map<string, Values>();
  /** The same as `ours`, for requests of other users. */
  const theirs = new Map<string, readonly string[]>();
  const rows = () => emulator.inventory.peek().filter(({ kind }) => isObject(kind));
  const named = (id: string) => rows().filter((row) => namesOf(row).includes(uuidOf(id)));

  /** Copies the marks of all objects: later changes of an object do not change its mark. */
  function marks(): Map<string, Mark> {
    const found = new Map<string, Mark>();
    emulator.inventory.each((row, kind) => {
      const { krn, name, parents, updatedAt, deletingAt, goneAt } = row;
      if (isObject(kind)) {
        const mark = { krn, kind, name, parents, updatedAt, deletingAt, goneAt };
        found.set(krn, { ...mark, written: written(row, kind) });
      }
    });
    return found;
  }

  function checkEffects(
    party: Party,
    what: () => string,
    before: Map<string, Mark>,
    now: Map<string, Mark>,
  ): void {
    const isOwn = (krn: string) => party.made.has(krn) || party.holds(krn) || party.adopts(krn);
    const isAllowed = ({ krn, kind, parents }: Mark): boolean =>
      (ours.get(krn) ?? theirs.get(krn) ?? [krn]).some(isOwn) ||
      ((ours.has(krn) || isPart(kind)) && parents.some(isOwn));
    /** Returns true for an object that the API deletes together with an own parent, even if another user created it. */
    const goesWithParent = ({ parents }: Mark): boolean =>
      parents.some((krn) => isOwn(krn) && before.has(krn) && isLeaving(now.get(krn)));
    for (const [krn, mark] of before)
      if (!isUntouched(mark, now.get(krn)) && !isAllowed(mark) && !goesWithParent(mark))
        report.violation(
          "I13",
          `${what()} changed ${krn} (${mark.name}), which is neither in state nor created in this run`,
        );
    for (const [krn, mark] of before) checkParts(party, what, mark, now.get(krn));
    for (const krn of now.keys()) if (!before.has(krn)) writtenAt.set(krn, time());
    if ([...now.keys()].every((krn) => before.has(krn))) return;
    const after = rows();
    const fresh = after.filter(({ krn }) => !before.has(krn));
    const names = fresh.flatMap((row) => [row.krn, ...namesOf(row)]);
    for (const { krn } of fresh) {
      ours.set(krn, names);
      party.made.add(krn);
      // A user-defined id may have belonged to an earlier object.
      reported.delete(krn);
      foreign.delete(uuidOf(krn));
    }
    for (const row of mainOf(fresh)) {
      const known = isUnlisted(row) ? party.made : ours;
      const twins = after.filter(
        (other) =>
          isTwin(row, other) &&
          known.has(other.krn) &&
          other.deletingAt === undefined &&
          !party.replaces(other.krn),
      );
      if (twins.length <= maxTwins(row)) continue;
      duplicates.push(row);
      if (!isBeyond)
        report.violation(
          "I2",
          `${what()} created a second ${row.kind} ${row.name} in addition to ${twins[0]?.krn}`,
        );
    }
  }

  /** Checks that a request changed only what a plan of its process showed (I18). */
  function checkParts(party: Party, what: () => string, before: Mark, after: Mark | undefined): void {
    if (after === undefined || isUntouched(before, after)) return;
    const isSettled = time() - (writtenAt.get(before.krn) ?? Number.NEGATIVE_INFINITY) >= settleMs;
    writtenAt.set(before.krn, time());
    const [row] = named(before.krn);
    if (row === undefined || !isSettled || party.made.has(before.krn)) return;
    for (const part of changedParts(before, after))
      if (!party.shows(row, part))
        report.violation(
          "I18",
          `${what()} changed ${part.field}${part.entry === undefined ? "" : `.${part.entry}`} of ${before.krn}, which no plan showed`,
        );
  }

  return {
    rows,
    exists: (id) => named(id).length > 0,
    remains(id, createdBefore = Number.POSITIVE_INFINITY) {
      // Instances of another user may share the name of a batch, but not its id.
      const isOther = (krn: string) => foreign.has(uuidOf(krn)) && uuidOf(krn) !== uuidOf(id);
      const [row] = named(id).filter(({ krn, createdAt }) => !isOther(krn) && createdAt < createdBefore);
      return row !== undefined && !(isUnlisted(row) && row.deletingAt !== undefined) && !isCancelled(row);
    },
    made: () => ours.size,
    isOurs: (id) => [...ours.values()].some((names) => names.includes(uuidOf(id))),
    createdWith(id) {
      const [row] = named(id);
      return row === undefined ? [id] : (ours.get(row.krn) ?? namesOf(row));
    },
    isReported: (id) => reported.has(id),
    isRefused: (id) => refused.has(id),
    remove(id) {
      for (const { krn } of named(id)) emulator.inventory.remove(krn);
    },
    unprotect(id) {
      const isProtected = named(id).filter(
        (row) => "deleteProtection" in row && row.deleteProtection === true,
      );
      for (const { krn } of isProtected) emulator.inventory.change(krn, { deleteProtection: false });
      return isProtected.length > 0;
    },
    power(id, action) {
      const [row] = named(id);
      if (row !== undefined) switchPod(emulator, row.krn, action);
    },
    isForeign: (id) => foreign.has(uuidOf(id)),
    foreignInputs: (id) => foreign.get(uuidOf(id)),
    duplicates: () => duplicates,
    watchOtherUser(inputs, request) {
      const before = marks();
      const answer = request();
      const made = rows().filter(({ krn }) => !before.has(krn));
      const names = made.flatMap((row) => [row.krn, ...namesOf(row)]);
      for (const { krn } of made) {
        theirs.set(krn, names);
        // A user-defined id may have belonged to an object of the provider.
        ours.delete(krn);
      }
      for (const name of made.flatMap(namesOf)) foreign.set(name, inputs);
      return answer;
    },
    watch(party, what, request) {
      const before = marks();
      const answer = request();
      checkEffects(party, what, before, marks());
      return answer;
    },
    noteReported(made) {
      for (const id of made) reported.add(id);
    },
    noteRefused(made) {
      for (const id of made) refused.add(id);
    },
  };
}
