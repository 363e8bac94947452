import { InputError } from "./error.ts";
import { plural, spoken } from "./name.ts";

/** What there is, and what of it is as asked for. */
export interface Candidates<T> {
  readonly all: readonly T[];
  readonly matching: readonly T[];
}

const mostShown = 20;

/**
 * The one that is as asked for. Throws `InputError` for none and for several, at the first field that was asked by;
 * its text shows what there is, each as `called`.
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

/** What there is, only so much of it that the text stays short. */
export function formatRows<T>(rows: readonly T[], called: (row: T) => string, most = mostShown): string {
  const more = rows.length > most ? ` and ${rows.length - most} more` : "";
  return `${rows.slice(0, most).map(called).join(", ") || "none"}${more}`;
}

/** `web (krn:…)`. */
export const labelOf = (id: string, name: unknown): string =>
  typeof name === "string" && name !== "" ? `${name} (${id})` : id;
