import type { Emulator } from "../../emulator/emulator.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import { switchPod } from "./console.ts";
import type { Row } from "./kind.ts";
import type { Report } from "./report.ts";
import { isBlind, isTwin, mainOf, mostAlike, namesOf } from "./row.ts";

/** What really is, as nobody but the emulator knows it, and who made it. Ids are KRNs or their last part. */
export interface GroundTruth {
  rows(): Row[];
  exists(id: string): boolean;
  /** The same, but for what is on its way out where nobody can see the end of it. */
  stays(id: string): boolean;
  /** How many objects the provider has made. */
  made(): number;
  /** Made through the provider, in any of its lives. */
  isOurs(id: string): boolean;
  /** Names of all that was made with it, its own among them. */
  kin(id: string): readonly string[];
  /** Whether an answer that names it reached the provider that made it. */
  isTold(id: string): boolean;
  /** Runs one request of the provider, and judges what it did to the cloud (I2, I13). */
  watch<T>(who: Party, what: () => string, request: () => T): T;
  /** Somebody else deletes it, with all that hangs on it. */
  remove(id: string): void;
  /** Lifts what protects it from deletion; false when nothing does. */
  unprotect(id: string): boolean;
  /** Has a pod run or stand still. */
  power(id: string, action: "start" | "stop"): void;
  /** Notes that an answer got through. */
  told(made: readonly string[]): void;
}

/** Who sends: a process of the provider with what its engine has in state. */
export interface Party {
  /** KRNs of what it made. */
  readonly made: Set<string>;
  holds(id: string): boolean;
}

/** What of an object tells whether it was touched, and whose it is. */
interface Mark extends Pick<Row, "krn" | "name" | "parents" | "updatedAt"> {
  readonly deletingAt: number | undefined;
  readonly goneAt: number | undefined;
}

const isUntouched = (mark: Mark, row: Mark | undefined): boolean =>
  mark.updatedAt === row?.updatedAt && mark.deletingAt === row.deletingAt && mark.goneAt === row.goneAt;

/** Sessions belong to nobody, and end by themselves. */
const isObject = (kind: string): boolean => kind !== "object_session";

export function createGroundTruth(emulator: Emulator, report: Report): GroundTruth {
  /** The names of all that one request made, by each of its KRNs: a network with its VPC, a volume with its machine. */
  const ours = new Map<string, readonly string[]>();
  const told = new Set<string>();
  const rows = () => emulator.inventory.peek().filter(({ kind }) => isObject(kind));
  const named = (id: string) => rows().filter((row) => namesOf(row).includes(uuidOf(id)));

  /** Every object as it stands: what is read later of a mark is what it was then. */
  function marks(): Map<string, Mark> {
    const found = new Map<string, Mark>();
    emulator.inventory.each(({ krn, name, parents, updatedAt, deletingAt, goneAt }, kind) => {
      if (isObject(kind)) found.set(krn, { krn, name, parents, updatedAt, deletingAt, goneAt });
    });
    return found;
  }

  function judge(who: Party, what: () => string, before: Map<string, Mark>, now: Map<string, Mark>): void {
    const isHers = (krn: string) => who.made.has(krn) || who.holds(krn);
    const isAllowed = ({ krn, parents }: Mark): boolean =>
      (ours.get(krn) ?? [krn]).some(isHers) || (ours.has(krn) && parents.some(isHers));
    for (const [krn, mark] of before)
      if (!isUntouched(mark, now.get(krn)) && !isAllowed(mark))
        report.violation(
          "I13",
          `${what()} changed ${krn} (${mark.name}), which is neither in state nor made in this run`,
        );
    if ([...now.keys()].every((krn) => before.has(krn))) return;
    const after = rows();
    const fresh = after.filter(({ krn }) => !before.has(krn));
    const names = fresh.flatMap((row) => [row.krn, ...namesOf(row)]);
    for (const { krn } of fresh) {
      ours.set(krn, names);
      who.made.add(krn);
      // What a user calls it may have been there before.
      told.delete(krn);
    }
    for (const row of mainOf(fresh)) {
      const known = isBlind(row) ? who.made : ours;
      const twins = after.filter(
        (other) => isTwin(row, other) && known.has(other.krn) && other.deletingAt === undefined,
      );
      if (twins.length > mostAlike(row))
        report.violation("I2", `${what()} made another ${row.kind} ${row.name} beside ${twins[0]?.krn}`);
    }
  }

  return {
    rows,
    exists: (id) => named(id).length > 0,
    stays(id) {
      const [row] = named(id);
      return row !== undefined && !(isBlind(row) && row.deletingAt !== undefined);
    },
    made: () => ours.size,
    isOurs: (id) => [...ours.values()].some((names) => names.includes(uuidOf(id))),
    kin(id) {
      const [row] = named(id);
      return row === undefined ? [id] : (ours.get(row.krn) ?? namesOf(row));
    },
    isTold: (id) => told.has(id),
    remove(id) {
      for (const { krn } of named(id)) emulator.inventory.remove(krn);
    },
    unprotect(id) {
      const sealed = named(id).filter((row) => "deleteProtection" in row && row.deleteProtection === true);
      for (const { krn } of sealed) emulator.inventory.change(krn, { deleteProtection: false });
      return sealed.length > 0;
    },
    power(id, action) {
      const [row] = named(id);
      if (row !== undefined) switchPod(emulator, row.krn, action);
    },
    watch(who, what, request) {
      const before = marks();
      const answer = request();
      judge(who, what, before, marks());
      return answer;
    },
    told(made) {
      for (const id of made) told.add(id);
    },
  };
}
