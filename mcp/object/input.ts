import { camelCase, snakeCase } from "../../provider/core/name.ts";
import { didYouMean, nearest } from "../../provider/core/string.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import type { Lookup } from "../../provider/definition/function.ts";
import { memberOf } from "../../provider/definition/shape.ts";

/** Attributes of a call that select objects. */

/** Names of attributes, as in the definition. */
export interface Names {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Returns the names of the attributes of a lookup. */
export function namesOf({ fields }: Pick<Lookup, "fields">): Names {
  const inputs = Object.entries(fields).filter(([, field]) => field.kind !== "computed");
  const isRequired = ([, field]: (typeof inputs)[number]) => memberOf(field).required;
  return {
    required: inputs.filter(isRequired).map(([name]) => name),
    optional: inputs.filter((input) => !isRequired(input)).map(([name]) => name),
  };
}

/** Maximum length of a name in a message, in characters. */
const longestName = 80;

/** Returns attributes by the names of the definition, and a text with every unknown and missing one; empty if there is none. */
export function inputsIn(
  attributes: Readonly<Record<string, unknown>>,
  { required, optional }: Names,
): { readonly values: Values; readonly problems: string } {
  const names = [...required, ...optional];
  const set = Object.entries(attributes).filter(([, value]) => value !== null && value !== "");
  const unknown = set.flatMap(([name]) => {
    if (names.includes(camelCase(name))) return [];
    const shown = name.slice(0, longestName).toWellFormed();
    const close = nearest(snakeCase(shown), names.map(snakeCase));
    return [`unknown attribute ${JSON.stringify(shown)}${didYouMean(close)}`];
  });
  const values = Object.fromEntries(set.map(([name, value]) => [camelCase(name), value as Value]));
  const missing = required.filter((name) => !Object.hasOwn(values, name)).map(snakeCase);
  const problems = [...unknown, ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : [])];
  if (problems.length > 0) problems.push(`The attributes are ${names.map(snakeCase).join(", ")}.`);
  return { values: values as Values, problems: problems.join("\n") };
}
