import { InputError } from "./error.ts";
import { plural, term } from "./name.ts";
import { didYouMean, formatRows, nearest } from "./string.ts";

/** All rows of a kind, and those that match a query. */
export interface Candidates<T> {
  readonly all: readonly T[];
  readonly matching: readonly T[];
}

/**
 * Returns the only matching row. Throws `InputError` if no row or several rows match, at the path of the first field in
 * `asked`, or of `id`. `asked` has the values of the query. The message lists the matching rows if there are several, otherwise all rows, each formatted by
 * `called`.
 */
export function requireOne<T extends { readonly name?: unknown }>(
  kind: string,
  asked: { readonly [name: string]: unknown },
  { all, matching }: Candidates<T>,
  called: (row: T) => string,
): T {
  const [row] = matching;
  if (row !== undefined && matching.length === 1) return row;
  const shown = formatRows(matching.length > 0 ? matching : all, called);
  const names = Object.keys(asked);
  const isNamed = names.join() === "name";
  const such = isNamed ? "this name" : "these values";
  const kinds = term(plural(kind));
  const close = isNamed ? nearest(String(asked.name), namesOf(all)) : undefined;
  const [title, problem] =
    matching.length > 0
      ? [`Several ${kinds} match`, `${matching.length} ${kinds} have ${such}: ${shown}`]
      : [
          `No matching ${term(kind)}`,
          `no ${term(kind)} has ${such}${didYouMean(close) || "."} Existing ${kinds}: ${shown}`,
        ];
  throw new InputError([{ path: [names[0] ?? "id"], title, problem }]);
}

/** Returns the names of rows. */
export const namesOf = (rows: readonly { readonly name?: unknown }[]): string[] =>
  rows.flatMap(({ name }) => (typeof name === "string" && name !== "" ? [name] : []));
