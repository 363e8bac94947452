import { memoize } from "../../provider/core/memoize.ts";
import { equal, reveal, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { type Field, isLocal } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import type { Change } from "./change.ts";
import { masked } from "./redaction.ts";

/** Values of imported objects that the API does not show. */

/** Returns the fields of a kind of object whose values the API never shows, by name. */
const unshownFields = memoize((resource: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(resource.fields).filter(
    ([, field]) => field.kind !== "computed" && field.options.unreadable === true && !isLocal(field),
  ),
);

/**
 * Returns the names of the values of an imported object that the configuration asserts and that the API does not show: the object may
 * have others. Besides the plan of the import itself, these are plans after an import by a command: the state has no value of a
 * required field, or the update of a value that the provider would replace the object for. A state of Pulumi lists the names.
 */
export function uncomparedIn({ resource, action, before, after, importedId }: Change): readonly string[] {
  if (resource === undefined || after === undefined || (action !== "update" && action !== "none")) return [];
  const listed = reveal(before?.__unread ?? null);
  const unread = new Set(Array.isArray(listed) ? listed : []);
  return unshownFields(resource)
    .filter(
      ([name, field]) =>
        (after[name] ?? null) !== null &&
        (unread.has(name) ||
          ((before?.[name] ?? null) === null &&
            (importedId !== undefined || memberOf(field).required || replaces(field)))),
    )
    .map(([name]) => name);
}

const replaces = (field: Field): boolean =>
  field.kind !== "computed" && (field.options.change ?? "replace") === "replace";

/** Returns true if a change only records such values, and sends nothing. */
export function onlyRecords(change: Change): boolean {
  const { resource, before, after } = change;
  const names = uncomparedIn(change);
  if (names.length === 0 || resource === undefined) return false;
  return (
    before === undefined ||
    Object.entries(resource.fields).every(
      ([name, field]) =>
        names.includes(name) ||
        field.kind === "computed" ||
        isLocal(field) ||
        isSame(before[name] ?? null, after?.[name] ?? null),
    )
  );
}

/** Returns true for equal values. A value that the engine masks may differ from every other one. */
function isSame(a: Value, b: Value): boolean {
  const [one, other] = [reveal(a), reveal(b)];
  return one !== masked && equal(one as Value, other as Value);
}

/**
 * Returns the change with unknown values in place of those that the API does not show. After a change that sends something, a field
 * that changes in place has the configured value: the request may contain it.
 */
export function withoutUncompared<C extends Change>(change: C): C {
  const names = uncomparedIn(change);
  const fields = change.resource?.fields ?? {};
  if (names.length === 0) return change;
  const unknown = (some: readonly string[]): Values =>
    Object.fromEntries(some.map((name) => [name, UNKNOWN]));
  const sends = !onlyRecords(change);
  const isSent = (name: string): boolean => {
    const field = fields[name];
    return sends && field !== undefined && !replaces(field);
  };
  return {
    ...change,
    before: change.before && { ...change.before, ...unknown(names) },
    after: change.after && { ...change.after, ...unknown(names.filter((name) => !isSent(name))) },
    changedPaths: change.changedPaths?.filter(([name]) => !names.includes(String(name))),
  };
}
