import type { Clock } from "./ports.ts";

/**
 * Listings that several reads share. One serves a read only if it began after that object's last write in this
 * process, after the read's own mark, and at most five seconds ago. A scope has one listing under way at a time:
 * who needs a younger one shares the next.
 */
export interface Listings {
  share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T>;
  /** An object of the scope was written: what was listed before says nothing about it any more. */
  wrote(scope: string, object: string): void;
  /** This moment in the order of writes and listings; what begins from here on is after it. */
  mark(): number;
}

interface Shared {
  readonly order: number;
  readonly began: number;
  readonly rows: Promise<unknown>;
  under: boolean;
  next?: Promise<unknown>;
}

const longest = 5_000;

/** Before every mark. */
export const ever = 0;

/** The listings of one process; nothing is listed yet. */
export function createListings(clock: Clock): Listings {
  const shared = new Map<string, Shared>();
  const written = new Map<string, number>();
  let order = ever;

  function begin(scope: string, fetch: () => Promise<unknown>): Promise<unknown> {
    order += 1;
    const entry: Shared = { order, began: clock.monotonic(), rows: fetch(), under: true };
    shared.set(scope, entry);
    const end = (failed: boolean) => {
      entry.under = false;
      if (failed && shared.get(scope) === entry) shared.delete(scope);
    };
    entry.rows.then(
      () => end(false),
      () => end(true),
    );
    return entry.rows;
  }

  return {
    share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T> {
      const oldest = Math.max(after, written.get(`${scope}\n${object}`) ?? ever);
      const known = shared.get(scope);
      if (known === undefined) return begin(scope, fetch) as Promise<T>;
      if (known.order > oldest && clock.monotonic() - known.began <= longest) return known.rows as Promise<T>;
      if (!known.under) return begin(scope, fetch) as Promise<T>;
      const follow = () => begin(scope, fetch);
      known.next ??= known.rows.then(follow, follow);
      return known.next as Promise<T>;
    },
    wrote(scope, object) {
      order += 1;
      written.set(`${scope}\n${object}`, order);
    },
    mark: () => order,
  };
}
