import type { Clock } from "../platform/ports.ts";

/**
 * Listings that several callers share. A listing serves a read if it began after the object's last write in this
 * process, after the read's own mark, and at most five seconds ago; a listing that has just arrived may have begun
 * earlier. A scope has one listing in flight at a time: callers that need a newer one share the next.
 */
export interface Listings {
  /** Joins or starts a listing that began after the mark and, in ms on the monotonic clock, at `since` or later. */
  share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>, since?: number): Promise<T>;
  /** Calls `came` after each listing that began after the mark, including those of other callers. Returns the unsubscribe. */
  watch(scope: string, after: number, came: () => void): () => void;
  /**
   * Returns true if a listing would cost more than one read of the object: no listing serves it yet, and the number of
   * rows outweighs the number of waiters.
   */
  outweighs(scope: string, object: string, after: number): boolean;
  /** Returns the number of waiters that watch a scope. */
  waiting(scope: string): number;
  /** Returns the number of pages of the last listing, each of which costs one request. */
  pages(scope: string): number;
  /** Returns the duration of the last listing in ms: with shorter pauses, listings would run without interruption. */
  took(scope: string): number;
  /** Records a write to an object of the scope: a listing that began earlier does not serve it. */
  wrote(scope: string, object: string): void;
  /** Returns the mark of the last write in the scope; a listing that serves the whole scope began after it. */
  lastWrite(scope: string): number;
  /** Applies the writes recorded under a name to the id of the object. */
  named(scope: string, name: string, id: string): void;
  /** Returns the current position in the order of writes and listings; every later write or listing is after it. */
  mark(): number;
}

interface Shared {
  readonly order: number;
  readonly began: number;
  readonly rows: Promise<unknown>;
  /** Time of completion; undefined while the listing is in flight. */
  ended?: number;
  rowCount?: number;
  next?: Promise<unknown>;
}

interface Watcher {
  readonly after: number;
  readonly came: () => void;
}

const longest = 5_000;
/** Number of rows that cost about as much as a request. */
const rowsARequest = 25;
/** Rows of the largest page (docs/contract.md#17.2). */
const rowsAPage = 100;

/** Mark that precedes all others: any listing is after it. */
export const ever = 0;

/** Creates the shared listings of one process, empty at first. */
export function createListings(clock: Clock): Listings {
  const shared = new Map<string, Shared>();
  /** Marks of the last writes by scope and object. */
  const written = new Map<string, Map<string, number>>();
  const watchers = new Map<string, Set<Watcher>>();
  // `ever` precedes the first mark.
  let order = ever + 1;

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

  /** Returns true if a listing shows the object as it is after the mark and its last write. */
  function serves(
    { order, began, ended }: Shared,
    scope: string,
    object: string,
    after: number,
    since = 0,
  ): boolean {
    const oldest = Math.max(after, writtenAt(scope, object));
    const now = clock.monotonic();
    return order > oldest && began >= since && (now - began <= longest || ended === now);
  }

  return {
    share<T>(
      scope: string,
      object: string,
      after: number,
      fetch: () => Promise<T>,
      since?: number,
    ): Promise<T> {
      const listing = shared.get(scope);
      if (listing === undefined) return begin(scope, fetch) as Promise<T>;
      if (serves(listing, scope, object, after, since)) return listing.rows as Promise<T>;
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
