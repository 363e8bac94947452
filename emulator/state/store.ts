import { type Clock, isManual } from "./clock.ts";
import { readState, type Snapshot, stateVersion, writeState } from "./file.ts";
import { seededUuid, uuidOf } from "./id.ts";
import type { Work } from "./work.ts";

/** Stored state of an object, common to all kinds. Its status is computed from the times below, in ms since the epoch. */
export type Resource = {
  readonly krn: string;
  readonly region: string;
  name: string;
  /** KRNs of the objects that this object depends on, which cannot be deleted while this object exists. */
  readonly parents: readonly string[];
  /**
   * KRNs of objects that cannot be deleted through the API while this object exists. Deleting them in the console does not
   * delete this object.
   */
  readonly uses?: readonly string[];
  /** True if the object is deleted with its first parent, whose deletion it does not block. */
  readonly owned?: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** Progress of the creation. */
  readonly work: Work;
  /** Start of the deletion. */
  deletingAt?: number;
  /** End of the deletion: from this time on, the object does not exist. */
  goneAt?: number;
};

/** Returns true when the object exists at a time. */
export function existsAt(resource: Resource, time: number): boolean {
  return resource.createdAt <= time && (resource.goneAt === undefined || time < resource.goneAt);
}

export function isDeleting(resource: Resource, time: number): boolean {
  return resource.deletingAt !== undefined && resource.deletingAt <= time;
}

export type Model<T extends Resource> = {
  insert(resource: T): T;
  /** Returns every resource, recently deleted ones included, oldest first. */
  all(): readonly T[];
  /** Returns the resource of a KRN, existing or recently deleted. */
  get(krn: string): T | undefined;
};

export type Store = {
  readonly seed: string;
  model<T extends Resource>(kind: string): Model<T>;
  /** Returns the resources of every kind that has any. */
  resourcesByKind(): Readonly<Record<string, readonly Resource[]>>;
  /** Finds the object of a KRN or a bare UUID. */
  find(krn: string): { kind: string; resource: Resource } | undefined;
  /** Returns the KRNs of the objects that were inserted since the last call. */
  takeInserted(): readonly string[];
  /** Creates a UUID that identifies no object, such as a task id. */
  newUuid(label: string): string;
  /** Writes the state file when something changed; throws on failure and restores the store as last written. */
  save(): void;
  reset(): void;
  /** Replaces all objects by these; new ids differ from every UUID in them. */
  load(objects: Readonly<Record<string, Resource[]>>): void;
};

/** Time for which deleted resources are kept, since a listing may lag; then they are purged. */
const retentionMs = 3_600_000;
const purgeInterval = 100;

/** Returns all UUIDs in the fields of objects. */
const uuidsIn = (objects: object): ReadonlySet<string> =>
  new Set(JSON.stringify(objects).match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g));

/** Creates the store; with a file, its content survives the process. Throws `StateFileError` when the file cannot be used. */
export function createStore(seed: string, clock: Clock, file?: string): Store {
  let counters: Record<string, number> = {};
  let tables: Record<string, Resource[]> = {};
  let saved = "";
  let inserted: string[] = [];
  /** Objects that were read, until the first UUID is made: another emulator with the same seed may have created theirs. */
  let unread: object | undefined;
  let loaded: ReadonlySet<string> = new Set();
  /** Every resource by its KRN. */
  let index = new Map<string, { kind: string; resource: Resource }>();

  function reindex(): void {
    const entries = Object.entries(tables).flatMap(([kind, resources]) =>
      resources.map((resource) => ({ kind, resource })),
    );
    index = new Map(entries.map((entry) => [entry.resource.krn, entry]));
  }

  /** Removes resources deleted before the retention time. Runs at intervals, since it reads every resource. */
  function purgeDeleted(kind: string, resources: readonly Resource[]): void {
    const since = clock.now() - retentionMs;
    const isExpired = ({ goneAt }: Resource) => goneAt !== undefined && goneAt <= since;
    for (const resource of resources) if (isExpired(resource)) index.delete(resource.krn);
    tables[kind] = resources.filter((resource) => !isExpired(resource));
  }

  /** Content of the file for comparison. A manual clock resumes from the file, so its time is part of the state. */
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
    // The version of the file guarantees the layout of its resources.
    ({ counters, tables } = snapshot as unknown as {
      counters: Record<string, number>;
      tables: Record<string, Resource[]>;
    });
  } else {
    write();
  }
  saved = content();
  unread = snapshot && tables;
  reindex();

  function newUuid(label: string): string {
    if (unread !== undefined) loaded = uuidsIn(unread);
    unread = undefined;
    const n = (counters[label] ?? 0) + 1;
    counters[label] = n;
    const uuid = seededUuid(seed, label, n);
    return loaded.has(uuid) ? newUuid(label) : uuid;
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
          inserted.push(resource.krn);
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
    takeInserted() {
      const krns = inserted;
      inserted = [];
      return krns;
    },
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
      loaded = new Set();
      unread = undefined;
      reindex();
    },
    load(objects) {
      counters = {};
      tables = objects;
      unread = objects;
      reindex();
    },
  };
}
