import { type Clock, isManual } from "./clock.ts";
import { readState, type Snapshot, stateVersion, writeState } from "./file.ts";
import { krnOf, seededUuid, uuidOf } from "./id.ts";
import type { Work } from "./work.ts";

/** What every object has. Its life is told by times, never by a flag that something would have to flip. */
export type Resource = {
  readonly krn: string;
  readonly region: string;
  name: string;
  /** The objects it hangs on: while it lives, they cannot be deleted. */
  readonly parents: readonly string[];
  /** Other objects that cannot be deleted while it lives, but whose sudden loss it survives. */
  readonly uses?: readonly string[];
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
export function existsAt(resource: Resource, at: number): boolean {
  return resource.createdAt <= at && (resource.goneAt === undefined || at < resource.goneAt);
}

export function isDeleting(resource: Resource, at: number): boolean {
  return resource.deletingAt !== undefined && resource.deletingAt <= at;
}

export type Model<T extends Resource> = {
  insert(resource: T): T;
  /** Every row, dead ones too, oldest first. */
  all(): readonly T[];
  /** The row of a KRN, dead or alive. */
  get(krn: string): T | undefined;
};

export type Store = {
  readonly seed: string;
  model<T extends Resource>(kind: string): Model<T>;
  /** Every kind that has rows, with its rows. */
  resourcesByKind(): Readonly<Record<string, readonly Resource[]>>;
  /** The object of a KRN or a bare UUID. */
  find(krn: string): { kind: string; resource: Resource } | undefined;
  /** A new KRN, fixed by the seed and by how many of its kind came before. */
  newKrn(service: string, region: string, type: string): string;
  /** A new UUID that is no object's, such as a task id. */
  newUuid(label: string): string;
  /** Writes what changed since the last time; a failure leaves the store as it was last written, and throws. */
  save(): void;
  reset(): void;
};

/** Dead rows stay for a while, since a listing may lag behind; then they go, so that no table grows for ever. */
const retentionMs = 3_600_000;
const purgeInterval = 100;

/** The emulator's tables; with a file they outlive the process. Throws `StateFileError` when the file is not usable. */
export function createStore(seed: string, clock: Clock, file?: string): Store {
  let counters: Record<string, number> = {};
  let tables: Record<string, Resource[]> = {};
  let saved = "";
  /** Every row by its KRN, to be found without a search. */
  let index = new Map<string, { kind: string; resource: Resource }>();

  function reindex(): void {
    const entries = Object.entries(tables).flatMap(([kind, resources]) =>
      resources.map((resource) => ({ kind, resource })),
    );
    index = new Map(entries.map((entry) => [entry.resource.krn, entry]));
  }

  /** Lets go of what has long been dead. Looked at now and then, since it costs a look at every row. */
  function purgeDeleted(kind: string, resources: readonly Resource[]): void {
    const since = clock.now() - retentionMs;
    const isForgotten = ({ goneAt }: Resource) => goneAt !== undefined && goneAt <= since;
    for (const resource of resources) if (isForgotten(resource)) index.delete(resource.krn);
    tables[kind] = resources.filter((resource) => !isForgotten(resource));
  }

  /** What the file must hold: a manual clock goes on from it, so its time is part of what was answered. */
  function content(): string {
    return JSON.stringify({ counters, tables, ...(isManual(clock) && { now: clock.now() }) });
  }

  function write(): void {
    if (file === undefined) return;
    const resources = tables as Snapshot["tables"];
    writeState(file, { version: stateVersion, savedAt: clock.now(), seed, counters, tables: resources });
  }

  const snapshot = file === undefined ? undefined : readState(file);
  if (snapshot) {
    // The version of the file vouches for the layout of its rows.
    ({ counters, tables } = snapshot as unknown as {
      counters: Record<string, number>;
      tables: Record<string, Resource[]>;
    });
  } else {
    write();
  }
  saved = content();
  reindex();

  function newUuid(label: string): string {
    const n = (counters[label] ?? 0) + 1;
    counters[label] = n;
    return seededUuid(seed, label, n);
  }

  return {
    seed,
    model<T extends Resource>(kind: string): Model<T> {
      const all = () => (tables[kind] ?? []) as T[];
      return {
        insert(resource) {
          if (all().length % purgeInterval === 0) purgeDeleted(kind, all());
          tables[kind]?.push(resource);
          index.set(resource.krn, { kind, resource });
          return resource;
        },
        all,
        get(krn) {
          const entry = index.get(krn);
          return entry?.kind === kind ? (entry.resource as T) : undefined;
        },
      };
    },
    resourcesByKind: () => tables,
    find(krn) {
      return index.get(krn) ?? [...index.values()].find(({ resource }) => uuidOf(resource.krn) === krn);
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
        reindex();
        throw error;
      }
    },
    reset() {
      counters = {};
      tables = {};
      reindex();
    },
  };
}
