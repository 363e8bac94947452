import type { Listing } from "../operation/operation.ts";
import { CloudError } from "../provider/core/error.ts";
import type { Paged } from "./option.ts";

/** Rows of a listing, page by page. */

/** Listing to iterate. */
interface PagedCall {
  readonly listing: Listing;
  readonly written: Readonly<Record<string, unknown>>;
  readonly route: string;
  /** Calls the operation with these arguments. */
  readonly send: (written: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Calls the operation for its rows. Default: `send`. */
  readonly sendRows?: (written: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Returns a promise of the first page that is an iterable of all rows too. Sends nothing before one of the two is used. */
export function paged(call: PagedCall): Paged<unknown, unknown> {
  let first: Promise<unknown> | undefined;
  const response = () => {
    first ??= call.send(call.written);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a promise that sends its request when it is used.
    then: (resolve, reject) => response().then(resolve, reject),
    catch: (reject) => response().catch(reject),
    finally: (end) => response().finally(end),
    [Symbol.toStringTag]: "Promise",
    [Symbol.asyncIterator]: () => rowsOf(call),
  };
}

/** Maximum number of times that a listing is read whose rows change in the meantime. */
const passes = 3;

/**
 * Yields all rows. Reads a listing again whose total changes, since rows then move between pages, and yields the rows that are new.
 * Throws `CloudError` for one that changes each time: it may lack rows.
 */
async function* rowsOf(call: PagedCall): AsyncGenerator<unknown> {
  /** Numbers of returned rows by their keys. */
  const returned = new Map<string, number>();
  for (let pass = 1; ; pass++) {
    const seen = new Map<string, number>();
    let moved = false;
    for await (const page of pagesOf(call, (isMoved) => {
      moved = isMoved;
    }))
      for (const row of page) {
        const id = idOf(row);
        // Rows without an ID may be equal and of different objects.
        const key = JSON.stringify(id ?? row);
        const count = id === undefined ? (seen.get(key) ?? 0) + 1 : 1;
        seen.set(key, count);
        if (count <= (returned.get(key) ?? 0)) continue;
        returned.set(key, count);
        yield row;
      }
    if (!moved) return;
    if (pass === passes)
      throw truncated(call.route, `the listing changed each of the ${passes} times that it was read`);
  }
}

/** Fields that identify a row, in the order of their precedence. */
const ids = ["krn", "krnid", "id", "_id", "vpcId", "template_krn", "port_id", "krn_id", "access_key", "key"];

/** Returns the ID of the object of a row; undefined for a row without one. */
function idOf(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  return ids.map((name) => (row as Record<string, unknown>)[name]).find((value) => Boolean(value));
}

async function* pagesOf(
  { listing, written, route, send, sendRows = send }: PagedCall,
  end: (isMoved: boolean) => void,
): AsyncGenerator<readonly unknown[]> {
  const { page, size } = listing;
  const wanted = size === undefined ? undefined : Number(written[size] ?? 100);
  let first: number | undefined;
  let before = "";
  let count = 0;
  for (let number = 1; ; number++) {
    const position =
      page === undefined ? {} : "number" in page ? { [page.number]: number } : { [page.offset]: count };
    const answer = await sendRows({
      ...written,
      ...position,
      ...(size === undefined ? {} : { [size]: wanted }),
    });
    const rows = rowsIn(answer, { listing, route });
    const { total, pages } = totalsIn(answer);
    first ??= total;
    const text = JSON.stringify(rows);
    if (rows.length > 0 && text === before)
      throw truncated(route, `page ${number} of the listing contains no further rows`);
    before = text;
    count += rows.length;
    yield rows;
    const isLast =
      page === undefined || rows.length === 0
        ? true
        : pages !== undefined
          ? number >= pages
          : total !== undefined
            ? count >= total
            : rows.length < (wanted ?? 1);
    if (!isLast) continue;
    const isMoved = total !== first;
    if (page !== undefined && !isMoved && total !== undefined && count < total)
      throw truncated(route, `the listing contains ${count} of ${total} rows`);
    return end(isMoved);
  }
}

/** Returns the error of a listing without some of its rows, which would look deleted (docs/contract.md#17.3). */
const truncated = (route: string, reason: string): CloudError =>
  new CloudError({ failure: "unreadable", route, reason });

/**
 * Returns the rows of a response: the response itself, or one of its fields, also inside another of them. The API may return one row in place
 * of a list (docs/contract.md#9.4).
 */
export function rowsIn(
  answer: unknown,
  { listing, route }: Pick<PagedCall, "listing" | "route">,
): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (answer === null) return [];
  if (typeof answer === "object" && listing.rows.length === 0) return [answer];
  for (const name of listing.rows) {
    const value = (answer as { readonly [name: string]: unknown } | undefined)?.[name];
    if (value !== undefined) return rowsIn(value, { listing, route });
  }
  throw truncated(route, "the response contains no list");
}

/** Returns the totals of a listing, in any of the spellings of the API and at any place (docs/contract.md#6). */
function totalsIn(answer: unknown): { readonly total?: number; readonly pages?: number } {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return {};
  const record = answer as Record<string, unknown>;
  const numberOf = (...names: readonly string[]) =>
    names.map((name) => record[name]).find((value) => typeof value === "number");
  const total = numberOf("total_count", "totalCount", "totalItems");
  const pages = numberOf("total_pages", "totalPages");
  if (total === undefined && pages === undefined)
    for (const name of ["pagination", "data"]) {
      const inner = totalsIn(record[name]);
      if (inner.total !== undefined || inner.pages !== undefined) return inner;
    }
  return { ...(total === undefined ? {} : { total }), ...(pages === undefined ? {} : { pages }) };
}
