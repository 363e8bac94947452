import { CloudError } from "../../provider/core/error.ts";
import { comparable } from "../../provider/core/krn.ts";
import type { Endpoint } from "../../provider/definition/endpoint.ts";
import { maybeNumber } from "../../provider/definition/validator.ts";

/** Paginated listings. */

/** Page size: the largest one known to be accepted (docs/contract.md#17.2). */
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

/** Listing to read. */
interface Listing<T> {
  readonly route: Endpoint;
  /** Plural name of the rows, for errors. */
  readonly what: string;
  /**
   * Returns the values that are equal for rows of the same object, in any spelling of its id; undefined for a row that cannot be
   * distinguished from others.
   */
  readonly keyOf: (row: T) => unknown;
  /** Number of rows of a full page, after which another one is requested without totals. Default: `pageSize`. */
  readonly full?: number;
  /**
   * Requests a page; `shown` is the number of rows on the pages before it. Returns undefined if the API does not find the
   * parent object.
   */
  readonly ask: (page: number, shown: number) => Promise<Page<T> | undefined>;
}

/**
 * Returns every row of a listing; undefined if the API does not find the parent object. Rows that disappear during the
 * read shift later rows to pages already read: if the total changes, all pages are read again, up to three times, and
 * the rows of all passes are returned. Throws `CloudError` for a truncated listing.
 */
export async function everyRow<T>(listing: Listing<T>): Promise<T[] | undefined> {
  const rows = new Map<string, T>();
  for (let pass = 1; ; pass++) {
    const found = await onePass(listing);
    if (found === undefined) return undefined;
    for (const [key, row] of found.rows) rows.set(key, row);
    const all = [...rows.values(), ...found.keyless];
    if (!found.moved) return all;
    if (pass < passes) continue;
    if (all.length < found.least) throw incomplete(listing, all.length, found.least);
    return all;
  }
}

/** Returns the error of a truncated listing, which would make objects look deleted (docs/contract.md#17.3). */
const incomplete = <T>({ route, what }: Listing<T>, shown: number, total: number): CloudError =>
  unreadablePage(route, `the listing contains ${shown} of ${total} ${what}`);

const unreadablePage = (route: Endpoint, message: string): CloudError =>
  new CloudError({ failure: "unreadable", route: `${route.method} ${route.path}`, reason: message });

/** Returns the values of a key as one text, with ids in the spelling by which they are compared. */
const spelled = (key: unknown): string | undefined =>
  JSON.stringify(key, (_, part: unknown) => (typeof part === "string" ? comparable(part) : part));

/**
 * Reads all pages once. `moved` is true if the total changed in the meantime; `least` is the smaller of the first and the
 * last total. Counts only rows with different keys: the API repeats rows if it ignores the page, or if rows shift between
 * two pages.
 */
async function onePass<T>(listing: Listing<T>) {
  const { ask, route, what, keyOf, full = pageSize } = listing;
  const rows = new Map<string, T>();
  const keyless: T[] = [];
  let first: number | undefined;
  for (let page = 1; ; page++) {
    const before = rows.size;
    const answer = await ask(page, before + keyless.length);
    if (answer === undefined) return undefined;
    const total = answer.total_count ?? answer.totalCount;
    const pages = answer.total_pages ?? answer.totalPages;
    first ??= total;
    let keyed = false;
    for (const row of answer.rows) {
      const key = spelled(keyOf(row));
      keyed ||= key !== undefined;
      if (key === undefined) keyless.push(row);
      else rows.set(key, row);
    }
    const shown = rows.size + keyless.length;
    const short = total !== undefined && shown < total;
    const repeated = keyed && rows.size === before;
    // Pages may be smaller than requested.
    const more =
      pages !== undefined ? page < pages : total === undefined ? answer.rows.length >= full : short;
    if (more && !repeated && answer.rows.length > 0) continue;
    const moved = total !== first;
    if (!moved && short) throw incomplete(listing, shown, total);
    if (!moved && repeated)
      throw unreadablePage(route, `page ${page} of the listing contains no further ${what}`);
    return { rows, keyless, moved, least: Math.min(first ?? 0, total ?? 0) };
  }
}
