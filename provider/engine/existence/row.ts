import { comparable, sameId } from "../../core/krn.ts";
import { parseZonedTime } from "../../core/time.ts";
import type { Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import { idIn, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";

/** Rows of listings: which of them can be an object, by id, name and creation time. */

/** Tolerance in ms for a created object that seems older than its request: clocks and headers are inexact. */
export const clockToleranceMs = 2_000;

/** Returns the creation time in ms since 1970; undefined if it is missing, has no time zone or has an unknown format. */
export const createdAtOf = ({ createdAt }: { readonly createdAt?: unknown }): number | undefined =>
  typeof createdAt === "string" ? parseZonedTime(createdAt) : undefined;

/** Results of `areDated` by list: creates that share a listing get the same list. */
const dated = new WeakMap<readonly Row<Fields>[], boolean>();

/** Returns true if there are rows and all have a creation time. */
export function areDated(rows: readonly Row<Fields>[]): boolean {
  const are = dated.get(rows) ?? (rows.length > 0 && rows.every((row) => createdAtOf(row) !== undefined));
  dated.set(rows, are);
  return are;
}

/** Returns values as a row with this id. */
export const rowOf = (id: string, values: Values): Row<Fields> =>
  ({ ...values, id }) as unknown as Row<Fields>;

/** Returns true if a row can be the object created from these inputs. */
export function matches(resource: Resource, row: Row<Fields>, inputs: Values): boolean {
  if (resource.verbs.matches !== undefined) return resource.verbs.matches(row, verbInputs(inputs));
  const requestedId = idIn(resource, inputs);
  if (requestedId !== undefined) return sameId(row.id, requestedId);
  const { name } = row as unknown as Values;
  return (
    typeof name === "string" &&
    typeof inputs.name === "string" &&
    name.normalize() === inputs.name.normalize()
  );
}

/** Returns true for a row without a name, if objects of its kind have names. */
const isUnnamed = ({ fields }: Resource, row: Row<Fields>): boolean =>
  fields.name !== undefined && !(row as unknown as Values).name;

/** Returns true for a row that does not show its name, if objects of its kind are found by name. */
export const hasHiddenName = (resource: Resource, row: Row<Fields>): boolean =>
  resource.verbs.matches === undefined && isUnnamed(resource, row);

/**
 * Returns true if a row without an id may be the object that has these values: their names match or the row has no name, and no
 * creation times differ.
 */
export function isListedWithoutId(resource: Resource, rows: readonly Row<Fields>[], values: Values): boolean {
  const recorded = createdAtOf(values) ?? Number.NaN;
  return rows.some((row) => {
    // The difference is NaN if one of the times is not known.
    const isOther = Math.abs((createdAtOf(row) ?? Number.NaN) - recorded) > clockToleranceMs;
    return row.id === "" && (isUnnamed(resource, row) || matches(resource, row, values)) && !isOther;
  });
}

/** Returns the matching rows, each id once: a row is repeated if it moves to another page during the listing. */
export function matching(resource: Resource, rows: readonly Row<Fields>[], inputs: Values): Row<Fields>[] {
  const ids = new Set<string>();
  return rows.filter((row) => {
    if (!matches(resource, row, inputs)) return false;
    const id = comparable(row.id);
    if (ids.has(id)) return false;
    if (id !== "") ids.add(id);
    return true;
  });
}
