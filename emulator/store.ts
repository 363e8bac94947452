import { type Clock, isManual } from "./clock.ts";
import { krnOf, seededUuid } from "./id.ts";
import { readState, type Snapshot, stateVersion, writeState } from "./state-file.ts";
import type { Work } from "./task.ts";

/** What every object has. Its life is told by times, never by a flag that something would have to flip. */
export type Row = {
  readonly krn: string;
  readonly region: string;
  name: string;
  /** The objects it hangs on: while it lives, they cannot be deleted. */
  readonly parents: readonly string[];
  /** Made and deleted with its first parent, so it does not keep that one from being deleted. */
  readonly owned?: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** The making of it. */
  readonly work: Work;
  deletingAt?: number;
  goneAt?: number;
};

/** Whether the object exists at that time. */
export function isLive(row: Row, at: number): boolean {
  return row.createdAt <= at && (row.goneAt === undefined || at < row.goneAt);
}

export function isDeleting(row: Row, at: number): boolean {
  return row.deletingAt !== undefined && row.deletingAt <= at;
}

export type Table<T extends Row> = {
  insert(row: T): T;
  /** Every row, dead ones too, oldest first. */
  all(): readonly T[];
};

export type Store = {
  table<T extends Row>(kind: string): Table<T>;
  /** Every kind that has rows, with its rows. */
  tables(): Readonly<Record<string, readonly Row[]>>;
  find(krn: string): { kind: string; row: Row } | undefined;
  /** A new KRN, fixed by the seed and by how many of its kind came before. */
  newKrn(service: string, region: string, type: string): string;
  /** A new UUID that is no object's, such as a task id. */
  newUuid(label: string): string;
  /** Writes what changed since the last time; a failure leaves the store as it was last written, and throws. */
  save(): void;
  reset(): void;
};

/** Dead rows stay for a while, since a listing may lag behind; then they go, so that no table grows for ever. */
const memoryMs = 3_600_000;

/** The emulator's tables; with a file they outlive the process. Throws `StateFileError` when the file is not usable. */
export function createStore(seed: string, clock: Clock, file?: string): Store {
  let counters: Record<string, number> = {};
  let tables: Record<string, Row[]> = {};
  let saved = "";

  /** What the file must hold: a manual clock goes on from it, so its time is part of what was answered. */
  function content(): string {
    return JSON.stringify({ counters, tables, ...(isManual(clock) && { now: clock.now() }) });
  }

  function write(): void {
    if (file === undefined) return;
    const rows = tables as Snapshot["tables"];
    writeState(file, { version: stateVersion, savedAt: clock.now(), seed, counters, tables: rows });
  }

  const snapshot = file === undefined ? undefined : readState(file);
  if (snapshot) {
    // The version of the file vouches for the layout of its rows.
    ({ counters, tables } = snapshot as unknown as {
      counters: Record<string, number>;
      tables: Record<string, Row[]>;
    });
  } else {
    write();
  }
  saved = content();

  function newUuid(label: string): string {
    const n = (counters[label] ?? 0) + 1;
    counters[label] = n;
    return seededUuid(seed, label, n);
  }

  return {
    table<T extends Row>(kind: string): Table<T> {
      const all = () => (tables[kind] ?? []) as T[];
      const isRemembered = ({ goneAt }: T) => goneAt === undefined || goneAt > clock.now() - memoryMs;
      return {
        insert(row) {
          tables[kind] = [...all().filter(isRemembered), row];
          return row;
        },
        all,
      };
    },
    tables: () => tables,
    find(krn) {
      for (const [kind, rows] of Object.entries(tables)) {
        const row = rows.find((candidate) => candidate.krn === krn);
        if (row) return { kind, row };
      }
      return undefined;
    },
    newKrn: (service, region, type) => krnOf(service, region, type, newUuid(type)),
    newUuid,
    save() {
      if (file === undefined) return;
      const text = content();
      if (text === saved) return;
      try {
        write();
        saved = text;
      } catch (error) {
        ({ counters, tables } = JSON.parse(saved));
        throw error;
      }
    },
    reset() {
      counters = {};
      tables = {};
    },
  };
}
