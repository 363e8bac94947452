import type { Clock } from "../platform/ports.ts";

/**
 * Listings that several reads share. One serves a read only if it began after that object's last write in this
 * process, after the read's own mark, and at most five seconds ago, unless it has only just come. A scope has one
 * listing under way at a time: who needs a younger one shares the next.
 */
export interface Listings {
  share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T>;
  /** Calls when the next listing begun after the mark has come, whoever asked for it; the result ends that. */
  watch(scope: string, after: number, came: () => void): () => void;
  /** Whether a listing would cost more than one look at the object: none serves it yet, and its rows outweigh who waits. */
  outweighs(scope: string, object: string, after: number): boolean;
  /** How many watch a scope. */
  waiting(scope: string): number;
  /** How many pages the last listing had: so many requests it costs. */
  pages(scope: string): number;
  /** How long the last listing took, in ms: asking more often than that would do nothing else. */
  took(scope: string): number;
  /** An object of the scope was written: what was listed before says nothing about it any more. */
  wrote(scope: string, object: string): void;
  /** When anything in the scope was written to last: what is listed for all of it began after that. */
  lastWrite(scope: string): number;
  /** What was written under a name has an id now. */
  named(scope: string, name: string, id: string): void;
  /** This moment in the order of writes and listings; what begins from here on is after it. */
  mark(): number;
}

interface Shared {
  readonly order: number;
  readonly began: number;
  readonly rows: Promise<unknown>;
  /** Undefined while it is under way. */
  ended?: number;
  rowCount?: number;
  next?: Promise<unknown>;
}

interface Watcher {
  readonly after: number;
  readonly came: () => void;
}

const longest = 5_000;
/** So many rows cost about as much as a request. */
const rowsARequest = 25;
/** Rows of the largest page (docs/contract.md#17.2). */
const rowsAPage = 100;

/** Before every mark. */
export const ever = 0;

/** The listings of one process; nothing is listed yet. */
export function createListings(clock: Clock): Listings {
  const shared = new Map<string, Shared>();
  /** By scope, and in it by object. */
  const written = new Map<string, Map<string, number>>();
  const watchers = new Map<string, Set<Watcher>>();
  let order = ever;

  function begin(scope: string, fetch: () => Promise<unknown>): Promise<unknown> {
    order += 1;
    const entry: Shared = { order, began: clock.monotonic(), rows: fetch() };
    shared.set(scope, entry);
    entry.rows.then(
      (rows) => {
        entry.ended = clock.monotonic();
        entry.rowCount = Array.isArray(rows) ? rows.length : 0;
        for (const { after, came } of [...(watchers.get(scope) ?? [])]) if (entry.order > after) came();
      },
      () => {
        if (shared.get(scope) === entry) shared.delete(scope);
      },
    );
    return entry.rows;
  }

  const waiting = (scope: string) => watchers.get(scope)?.size ?? 0;
  const writtenAt = (scope: string, object: string) => written.get(scope)?.get(object) ?? ever;

  function note(scope: string, object: string, at: number) {
    const here = written.get(scope) ?? new Map<string, number>();
    written.set(scope, here.set(object, at));
  }

  /** Whether a listing tells of the object as it is after the mark and its last write. */
  function serves({ order, began, ended }: Shared, scope: string, object: string, after: number): boolean {
    const oldest = Math.max(after, writtenAt(scope, object));
    const now = clock.monotonic();
    return order > oldest && (now - began <= longest || ended === now);
  }

  return {
    share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T> {
      const listing = shared.get(scope);
      if (listing === undefined) return begin(scope, fetch) as Promise<T>;
      if (serves(listing, scope, object, after)) return listing.rows as Promise<T>;
      if (listing.ended !== undefined) return begin(scope, fetch) as Promise<T>;
      const follow = () => begin(scope, fetch);
      listing.next ??= listing.rows.then(follow, follow);
      return listing.next as Promise<T>;
    },
    watch(scope, after, came) {
      const watching = watchers.get(scope) ?? new Set();
      watchers.set(scope, watching);
      const watcher = { after, came };
      watching.add(watcher);
      return () => {
        watching.delete(watcher);
      };
    },
    outweighs(scope, object, after) {
      const listing = shared.get(scope);
      if (listing?.rowCount === undefined || serves(listing, scope, object, after)) return false;
      return listing.rowCount > rowsARequest * (waiting(scope) + 1);
    },
    waiting,
    pages: (scope) => 1 + Math.floor((shared.get(scope)?.rowCount ?? 0) / rowsAPage),
    took(scope) {
      const { began, ended } = shared.get(scope) ?? { began: 0 };
      return ended === undefined ? 0 : ended - began;
    },
    wrote(scope, object) {
      order += 1;
      note(scope, object, order);
    },
    lastWrite: (scope) => Math.max(ever, ...(written.get(scope)?.values() ?? [])),
    named(scope, name, id) {
      note(scope, id, writtenAt(scope, name));
    },
    mark: () => order,
  };
}
