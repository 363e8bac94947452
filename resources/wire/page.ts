import { CloudError } from "../../provider/core/error.ts";
import type { Endpoint } from "../../provider/definition/endpoint.ts";
import { maybeNumber } from "../../provider/definition/validator.ts";

/** Listings that come in pages. */

/** The largest page that is known to work (docs/contract.md#17.2). */
export const pageSize = 100;
const passes = 3;

/** How much there is in all, in either spelling, where an answer tells (docs/contract.md#6). */
export const counts = {
  total_count: maybeNumber,
  totalCount: maybeNumber,
  total_pages: maybeNumber,
  totalPages: maybeNumber,
};

type Page<T> = { readonly rows: readonly T[] } & {
  readonly [name in keyof typeof counts]?: number | undefined;
};

/** What is listed, and how a page of it is asked for; undefined where the cloud does not know what it is in. */
interface Listing<T> {
  readonly route: Endpoint;
  /** In the plural, for the error. */
  readonly what: string;
  readonly keyOf: (row: T) => string;
  readonly ask: (page: number) => Promise<Page<T> | undefined>;
}

/**
 * Every row of a listing. Rows that vanish while the pages are read move later ones to a page that was read already:
 * then all pages are read once more, and what any pass showed counts. Throws `CloudError` for one that is cut short.
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

/** All pages once, and whether they moved meanwhile. */
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
    // Pages may be smaller than was asked for.
    const full = total === undefined ? answer.rows.length >= pageSize : rows.length < total;
    const more = pages === undefined ? full : page < pages;
    if (more && answer.rows.length > 0) continue;
    const moved = total !== first;
    // A listing that is cut short must not look like a thing that is gone (docs/contract.md#17.3).
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
