import { CloudError } from "../../provider/core/error.ts";
import type { Endpoint } from "../../provider/definition/endpoint.ts";
import { maybeNumber } from "../../provider/definition/validator.ts";

/** Paginated listings. */

/** Largest page size that is known to work (docs/contract.md#17.2). */
export const pageSize = 100;
const passes = 3;

/** Schema of the totals of a listing in both spellings; a response may omit them (docs/contract.md#6). */
export const counts = {
  total_count: maybeNumber,
  totalCount: maybeNumber,
  total_pages: maybeNumber,
  totalPages: maybeNumber,
};

type Page<T> = { readonly rows: readonly T[] } & {
  readonly [name in keyof typeof counts]?: number | undefined;
};

/** Listing to read. `ask` requests a page, and returns undefined if the API does not know the parent object. */
interface Listing<T> {
  readonly route: Endpoint;
  /** Name of the rows in the plural, for the error. */
  readonly what: string;
  readonly keyOf: (row: T) => string;
  readonly ask: (page: number) => Promise<Page<T> | undefined>;
}

/**
 * Returns every row of a listing; undefined if the API does not know the parent object. Rows that disappear during the
 * read shift later rows to pages already read: if the total changes, all pages are read again, at most three times, and
 * the rows of all passes are returned. Throws `CloudError` for a truncated listing.
 */
export async function everyRow<T>(listing: Listing<T>): Promise<T[] | undefined> {
  const rows = new Map<string, T>();
  for (let pass = 1; pass <= passes; pass++) {
    const found = await onePass(listing);
    if (found === undefined) return undefined;
    for (const row of found.rows) rows.set(listing.keyOf(row), row);
    if (!found.moved) break;
  }
  return [...rows.values()];
}

/** Reads all pages once; `moved` is true if the total changed in the meantime. */
async function onePass<T>({ ask, route, what }: Listing<T>) {
  const rows: T[] = [];
  let first: number | undefined;
  for (let page = 1; ; page++) {
    const answer = await ask(page);
    if (answer === undefined) return undefined;
    const total = answer.total_count ?? answer.totalCount;
    const pages = answer.total_pages ?? answer.totalPages;
    first ??= total;
    rows.push(...answer.rows);
    // Pages may be smaller than requested.
    const full = total === undefined ? answer.rows.length >= pageSize : rows.length < total;
    const more = pages === undefined ? full : page < pages;
    if (more && answer.rows.length > 0) continue;
    const moved = total !== first;
    // A truncated listing must not make an object look deleted (docs/contract.md#17.3).
    if (!moved && rows.length < (total ?? 0)) throw short(route, what, rows.length, total ?? 0);
    return { rows, moved };
  }
}

const short = ({ method, path }: Endpoint, what: string, shown: number, total: number) =>
  new CloudError({
    failure: "unreadable",
    route: `${method} ${path}`,
    said: `it lists ${shown} of ${total} ${what}`,
  });
