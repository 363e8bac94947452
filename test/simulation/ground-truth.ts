import type { Emulator } from "../../emulator/emulator.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import type { Values } from "../../provider/core/value.ts";
import type { WorldName } from "./checker/invariant.ts";
import { switchPod } from "./console.ts";
import type { Row } from "./kind.ts";
import type { Report } from "./report.ts";
import { isCancelled, isTwin, isUnlisted, mainOf, maxTwins, namesOf } from "./row.ts";

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
  /** Returns the time in ms, without suspensions, until which a response counts as received after a stop. */
  acceptsUntil(): number;
}

/** Fields of an object that show whether it was changed and to what it belongs. */
interface Mark extends Pick<Row, "krn" | "kind" | "name" | "parents" | "updatedAt"> {
  readonly deletingAt: number | undefined;
  readonly goneAt: number | undefined;
}

const isUntouched = (mark: Mark, row: Mark | undefined): boolean =>
  mark.updatedAt === row?.updatedAt && mark.deletingAt === row.deletingAt && mark.goneAt === row.goneAt;

/** Returns true for an object that is deleted or being deleted; `mark` is undefined if it is gone. */
const isLeaving = (mark: Mark | undefined): boolean => mark === undefined || mark.deletingAt !== undefined;

/** Returns true for a kind whose objects are settings of their parent, and are deleted with it. */
const isPart = (kind: string): boolean => kind === "bucket_policy" || kind === "lifecycle_rule";

/** Returns true for every kind except object sessions, which belong to no resource and expire. */
const isObject = (kind: string): boolean => kind !== "object_session";

export function createGroundTruth(emulator: Emulator, report: Report, world: WorldName): GroundTruth {
  const isBeyond = world === "beyond";
  /**
   * Names of all objects that one request created, by the KRN of each: a VPC with its network, an instance with its
   * volume.
   */
  const ours = new Map<string, readonly string[]>();
  const reported = new Set<string>();
  const refused = new Set<string>();
  const duplicates: Row[] = [];
  /** Inputs of the objects that other users created, by each name of the object. */
  const foreign = new Map<string, Values>();
  /** The same as `ours`, for requests of other users. */
  const theirs = new Map<string, readonly string[]>();
  const rows = () => emulator.inventory.peek().filter(({ kind }) => isObject(kind));
  const named = (id: string) => rows().filter((row) => namesOf(row).includes(uuidOf(id)));

  /** Copies the marks of all objects: later changes of an object do not change its mark. */
  function marks(): Map<string, Mark> {
    const found = new Map<string, Mark>();
    emulator.inventory.each(({ krn, name, parents, updatedAt, deletingAt, goneAt }, kind) => {
      if (isObject(kind)) found.set(krn, { krn, kind, name, parents, updatedAt, deletingAt, goneAt });
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
      for (const { krn } of made) theirs.set(krn, names);
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
