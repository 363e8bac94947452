import { memoize } from "../../provider/core/memoize.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { type Field, isLocal } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import type { Change } from "./change.ts";

/** Values of imported objects that the API does not show. */

/** Returns the fields of a kind of object whose values the API never shows, by name. */
const unshownFields = memoize((resource: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(
    ([, field]) => field.kind !== "computed" && field.options.unreadable === true && !isLocal(field),
  ),
);

/**
 * Returns the names of the values that a change records for the first time and sends to no API: those of an imported object that
 * the API does not show. The configuration asserts them, and the object may have others. Besides the plan of the import itself,
 * these are plans after an import by a command: the state has no value of a required field, or the update of a value that the
 * provider would replace the object for.
 */
export function uncomparedIn({ resource, action, before, after, importedId }: Change): readonly string[] {
  if (resource === undefined || after === undefined || (action !== "update" && action !== "none")) return [];
  return unshownFields(resource)
    .filter(
      ([name, field]) =>
        (before?.[name] ?? null) === null &&
        (after[name] ?? null) !== null &&
        (importedId !== undefined || memberOf(field).required || replaces(field)),
    )
    .map(([name]) => name);
}

const replaces = (field: Field): boolean =>
  field.kind !== "computed" && (field.options.change ?? "replace") === "replace";

/** Returns the change with unknown values, before and after, in place of those that the API does not show. */
export function withoutUncompared<C extends Change>(change: C): C {
  const names = uncomparedIn(change);
  if (names.length === 0) return change;
  const unknown: Values = Object.fromEntries(names.map((name) => [name, UNKNOWN]));
  return {
    ...change,
    before: change.before && { ...change.before, ...unknown },
    after: change.after && { ...change.after, ...unknown },
    changedPaths: change.changedPaths?.filter(([name]) => !names.includes(String(name))),
  };
}
