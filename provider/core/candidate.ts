import { InputError } from "./error.ts";
import { plural, spoken } from "./name.ts";

/** All rows of a kind, and those that match a query. */
export interface Candidates<T> {
  readonly all: readonly T[];
  readonly matching: readonly T[];
}

const mostShown = 20;

/**
 * Returns the only matching row. Throws `InputError` if no row or several rows match, at the path of the first field in
 * `asked`, or of `id`. The message lists the matching rows if there are several, else all rows, each formatted by
 * `called`.
 */
export function requireOne<T>(
  kind: string,
  asked: readonly string[],
  { all, matching: like }: Candidates<T>,
  called: (row: T) => string,
): T {
  const [row] = like;
  if (row !== undefined && like.length === 1) return row;
  const shown = formatRows(like.length > 0 ? like : all, called);
  const such = asked.join() === "name" ? "this name" : "all that is asked for";
  const problem =
    like.length > 0
      ? `${like.length} ${spoken(plural(kind))} have ${such}: ${shown}`
      : `no ${spoken(kind)} has ${such}; there are: ${shown}`;
  throw new InputError([{ path: [asked[0] ?? "id"], problem }]);
}

/** Formats at most `most` rows as a list, followed by the number of rows left out; "none" without rows. */
export function formatRows<T>(rows: readonly T[], called: (row: T) => string, most = mostShown): string {
  const more = rows.length > most ? ` and ${rows.length - most} more` : "";
  return `${rows.slice(0, most).map(called).join(", ") || "none"}${more}`;
}

/** Returns the label of an object: `web (krn:…)`, or only the id without a name. */
export const labelOf = (id: string, name: unknown): string =>
  typeof name === "string" && name !== "" ? `${name} (${id})` : id;
