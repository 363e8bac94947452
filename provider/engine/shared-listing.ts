import type { Clock } from "../platform/ports.ts";

/**
 * Listings that several callers share. A listing serves a read if it began after the object's last write in this
 * process, after the read's own mark, and at most five seconds ago; a listing that has just arrived may have begun
 * earlier. A scope has one listing in flight at a time: callers that need a newer one share the next.
 */
export interface Listings {
  /** Joins or starts a listing. */
  share<T>(request: ListingRequest, fetch: () => Promise<T>): Promise<T>;
  /** Calls `came` after each listing that began after the mark, including those of other callers. Returns the unsubscribe. */
  watch(scope: string, after: number, came: () => void): () => void;
  /**
   * Returns true if a listing would cost more than one read of the object: no listing serves it yet, and the number of
   * rows outweighs the number of waiters.
   */
  outweighs(request: ListingRequest): boolean;
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

/** Listing that a caller needs. */
export interface ListingRequest {
  readonly scope: string;
  /** Id or name of the object that the listing must show as it is after its last write. */
  readonly object: string;
  /** Mark after which the listing must begin. */
  readonly after: number;
  /** Time in ms on the monotonic clock at which it may begin at the earliest. */
  readonly since?: number | undefined;
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

const longestListingMs = 5_000;
/** Number of rows that cost about as much as a request. */
const rowsARequest = 25;
/** Rows of the largest page (docs/contract.md#17.2). */
const rowsAPage = 100;

/** Mark that precedes all others: any listing is after it. */
export const ever = 0;

/** Creates the shared listings of one process, empty at first. */
export function createListings(clock: Clock): Listings {
  const watchers = createWatchers();
  const writes = createWrites();
  const { latest, begin } = createLatest(clock, (scope, order) => watchers.notify(scope, order));

  /** Returns true if a listing shows the object as it is after the mark and its last write. */
  function serves(
    { order, began, ended }: Shared,
    { scope, object, after, since = 0 }: ListingRequest,
  ): boolean {
    const oldest = Math.max(after, writes.last(scope, object));
    const now = clock.monotonic();
    return order > oldest && began >= since && (now - began <= longestListingMs || ended === now);
  }

  return {
    share<T>(request: ListingRequest, fetch: () => Promise<T>): Promise<T> {
      const follow = () => begin(request.scope, writes.next(), fetch);
      const listing = latest(request.scope);
      if (listing !== undefined && serves(listing, request)) return listing.rows as Promise<T>;
      if (listing === undefined || listing.ended !== undefined) return follow() as Promise<T>;
      listing.next ??= listing.rows.then(follow, follow);
      return listing.next as Promise<T>;
    },
    outweighs(request) {
      const listing = latest(request.scope);
      if (listing?.rowCount === undefined || serves(listing, request)) return false;
      return listing.rowCount > rowsARequest * (watchers.count(request.scope) + 1);
    },
    watch: watchers.watch,
    waiting: watchers.count,
    pages: (scope) => 1 + Math.floor((latest(scope)?.rowCount ?? 0) / rowsAPage),
    took(scope) {
      const { began, ended } = latest(scope) ?? { began: 0 };
      return ended === undefined ? 0 : ended - began;
    },
    ...writes.marks,
  };
}

/** Creates the latest listing of each scope. Calls `ended` after each listing, unless it failed: its scope then has none. */
function createLatest(clock: Clock, ended: (scope: string, order: number) => void) {
  const shared = new Map<string, Shared>();
  return {
    latest: (scope: string): Shared | undefined => shared.get(scope),
    begin(scope: string, order: number, fetch: () => Promise<unknown>): Promise<unknown> {
      const entry: Shared = { order, began: clock.monotonic(), rows: fetch() };
      shared.set(scope, entry);
      entry.rows.then(
        (rows) => {
          entry.ended = clock.monotonic();
          entry.rowCount = Array.isArray(rows) ? rows.length : 0;
          ended(scope, order);
        },
        () => {
          if (shared.get(scope) === entry) shared.delete(scope);
        },
      );
      return entry.rows;
    },
  };
}

/** Creates the functions that wait for listings. */
function createWatchers() {
  const watchers = new Map<string, Set<Watcher>>();
  return {
    watch(scope: string, after: number, came: () => void): () => void {
      const watching = watchers.get(scope) ?? new Set();
      watchers.set(scope, watching);
      const watcher = { after, came };
      watching.add(watcher);
      return () => {
        watching.delete(watcher);
      };
    },
    notify(scope: string, order: number): void {
      for (const { after, came } of [...(watchers.get(scope) ?? [])]) if (order > after) came();
    },
    count: (scope: string): number => watchers.get(scope)?.size ?? 0,
  };
}

/** Creates the order of writes and listings, with the mark of the last write of each object. */
function createWrites() {
  const marks = new Map<string, Map<string, number>>();
  // `ever` precedes the first mark.
  let order = ever + 1;
  const next = () => {
    order += 1;
    return order;
  };
  const last = (scope: string, object: string) => marks.get(scope)?.get(object) ?? ever;
  function note(scope: string, object: string, mark: number): void {
    const written = marks.get(scope) ?? new Map<string, number>();
    marks.set(scope, written.set(object, mark));
  }
  return {
    next,
    last,
    marks: {
      wrote: (scope, object) => note(scope, object, next()),
      lastWrite: (scope) => Math.max(ever, ...(marks.get(scope)?.values() ?? [])),
      named: (scope, name, id) => note(scope, id, last(scope, name)),
      mark: () => order,
    } satisfies Partial<Listings>,
  };
}
