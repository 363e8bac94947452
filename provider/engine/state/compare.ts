import { isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import { deferredFields, type Fields, isSetByApi } from "../../definition/field.ts";

/**
 * Returns the dotted paths of fields for which the API shows another value than requested. For a field without a
 * requested value the API chooses one: it is compared only if `changed` names it, as for provider tags.
 */
export function driftedFields(
  fields: Fields,
  seen: Values,
  inputs: Values,
  changed: ReadonlySet<string> = new Set(),
  path: Path = [],
): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const asked = inputs[name] ?? null;
    if ((field.kind === "computed" || asked === null) && !changed.has(name)) return [];
    const shown = seen[name] ?? null;
    if (field.kind === "group" && isRecord(asked))
      return driftedFields(field.fields, isRecord(shown) ? shown : {}, asked, new Set(), [...path, name]);
    const isUnreadable = field.kind !== "computed" && field.options.unreadable;
    return isUnreadable || sameValue(field, asked, shown) ? [] : [[...path, name].join(".")];
  });
}

/**
 * Compares an object that a search found with the inputs of a create, in every field that the API shows and that the
 * create request sets. Returns the dotted paths of fields with another value, and of those that are not shown yet. The
 * name is left out: the search has compared it.
 */
export function compareFound(
  fields: Fields,
  seen: Values,
  inputs: Values,
): { readonly other: readonly string[]; readonly missing: readonly string[] } {
  const late = new Set(["name", ...deferredFields(fields)]);
  const compared = Object.fromEntries(Object.entries(fields).filter(([name]) => !late.has(name)));
  // An object that was created without a value must not show one, unless the API chooses it.
  const empty = Object.keys(compared).filter((name) => {
    const field = compared[name];
    return field !== undefined && (field.kind === "group" || !isSetByApi(field));
  });
  const drifted = driftedFields(compared, seen, inputs, new Set(empty));
  const isMissing = (path: string) => path.split(".").reduce<Value>(partOf, seen) === null;
  return {
    other: drifted.filter((path) => !isMissing(path)),
    missing: drifted.filter(isMissing),
  };
}

const partOf = (value: Value, name: string): Value => (isRecord(value) ? (value[name] ?? null) : null);
