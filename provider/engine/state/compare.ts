import { isRecord, type Path, type Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import type { Fields } from "../../definition/field.ts";

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
