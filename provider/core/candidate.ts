import { InputError } from "./error.ts";
import { plural, term } from "./name.ts";
import { formatRows } from "./string.ts";

/** All rows of a kind, and those that match a query. */
export interface Candidates<T> {
  readonly all: readonly T[];
  readonly matching: readonly T[];
}

/**
 * Returns the only matching row. Throws `InputError` if no row or several rows match, at the path of the first field in
 * `asked`, or of `id`. The message lists the matching rows if there are several, otherwise all rows, each formatted by
 * `called`.
 */
export function requireOne<T>(
  kind: string,
  asked: readonly string[],
  { all, matching }: Candidates<T>,
  called: (row: T) => string,
): T {
  const [row] = matching;
  if (row !== undefined && matching.length === 1) return row;
  const shown = formatRows(matching.length > 0 ? matching : all, called);
  const such = asked.join() === "name" ? "this name" : "these values";
  const kinds = term(plural(kind));
  const [title, problem] =
    matching.length > 0
      ? [`Several ${kinds} match`, `${matching.length} ${kinds} have ${such}: ${shown}`]
      : [`No matching ${term(kind)}`, `no ${term(kind)} has ${such}. Existing ${kinds}: ${shown}`];
  throw new InputError([{ path: [asked[0] ?? "id"], title, problem }]);
}
