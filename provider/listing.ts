import type { Clock } from "./ports.ts";

/**
 * Listings that several reads share. One serves a read only if it began after that object's last write in this
 * process, after `after`, and at most five seconds ago.
 */
export interface Listings {
  share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T>;
  /** An object of the scope was written: what was listed before says nothing about it any more. */
  wrote(scope: string, object: string): void;
}

const longest = 5_000;

export function createListings(clock: Clock): Listings {
  const shared = new Map<string, { began: number; rows: Promise<unknown> }>();
  const written = new Map<string, number>();

  return {
    async share<T>(scope: string, object: string, after: number, fetch: () => Promise<T>): Promise<T> {
      const now = clock.monotonic();
      const oldest = Math.max(
        after,
        written.get(`${scope}\n${object}`) ?? Number.NEGATIVE_INFINITY,
        now - longest,
      );
      const known = shared.get(scope);
      if (known !== undefined && known.began > oldest) return known.rows as Promise<T>;
      const rows = fetch();
      const entry = { began: now, rows };
      shared.set(scope, entry);
      rows.catch(() => {
        if (shared.get(scope) === entry) shared.delete(scope);
      });
      return rows;
    },
    wrote(scope, object) {
      written.set(`${scope}\n${object}`, clock.monotonic());
    },
  };
}
