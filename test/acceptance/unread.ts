import { entriesOf } from "../../provider/core/memoize.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { type Field, type Fields, isShownOnce } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { memberOf, type Shape } from "../../provider/definition/shape.ts";

/** Attributes that no import can read, by the definitions. */

/** Attribute of a state. */
export interface Attribute {
  /** Dotted path, as in a plan. */
  readonly path: string;
  /** True if the value has parts: a list, a set, a map or a group. */
  readonly hasParts: boolean;
}

const hasParts = ({ kind }: Shape): boolean => ["list", "set", "map", "object"].includes(kind);

/**
 * Returns true if an answer of the API can lack the value: unreadable fields, those of the state only, secrets that are shown once,
 * and values that only other ones prove.
 */
const isUnread = (field: Field): boolean =>
  isShownOnce(field) ||
  (field.kind !== "computed" && field.options.unreadable === true) ||
  (field.kind === "field" && field.options.isProven !== undefined);

function unreadIn(fields: Fields, above: string): Attribute[] {
  return entriesOf(fields).flatMap(({ name, value: field }) => {
    const path = `${above}${snakeCase(name)}`;
    const isSecret = field.kind === "field" && field.options.secret === true;
    // The version of a write-only secret exists in the state only.
    const version = isSecret ? [{ path: `${path}_wo_version`, hasParts: false }] : [];
    if (isUnread(field))
      return [{ path, hasParts: field.kind === "group" || hasParts(memberOf(field).shape) }, ...version];
    return [...version, ...(field.kind === "group" ? unreadIn(field.fields, `${path}.`) : [])];
  });
}

/** Returns the names of the fields that are calculated from fields of which none can be read. */
const calculatedNames = (fields: Fields): string[] =>
  entriesOf(fields).flatMap(({ name, value: field }) => {
    const needs = field.kind === "field" ? field.options.calculated?.needs : undefined;
    const isKnown = (need: string) => fields[need] !== undefined && !isUnread(fields[need]);
    return needs === undefined || needs.some(isKnown) ? [] : [name];
  });

/** Returns the attributes of a resource that no import can read. Timeouts exist in the configuration only. */
export const unreadAttributes = ({ fields }: Resource): Attribute[] => [
  ...unreadIn(fields, ""),
  ...calculatedNames(fields).map((name) => ({ path: snakeCase(name), hasParts: false })),
  { path: "timeouts", hasParts: true },
];
