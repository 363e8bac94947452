import { entriesOf } from "../../core/memoize.ts";
import { isRecord, mapValues, type Path, type Value, type Values } from "../../core/value.ts";
import { isNone, isUnset, sameValue } from "../../definition/equality.ts";
import { deferredFields, type Field, type Fields, isSetByApi } from "../../definition/field.ts";
import { memberOf, valueSchema } from "../../definition/shape.ts";

/**
 * Returns the dotted paths of fields for which the API shows another value than requested. A field without a requested
 * value, which the API chooses, is compared only if `changed` contains its name, as for provider tags.
 */
export function driftedFields(
  fields: Fields,
  observed: Values,
  inputs: Values,
  changed: ReadonlySet<string> = new Set(),
): string[] {
  return entriesOf(fields).flatMap(({ name, value: field }) => {
    const requested = inputs[name] ?? null;
    if ((field.kind === "computed" || requested === null) && !changed.has(name)) return [];
    const shown = observed[name] ?? null;
    if (field.kind === "group" && isRecord(requested)) {
      const drifted = driftedFields(field.fields, isRecord(shown) ? shown : {}, requested);
      return drifted.map((path) => `${name}.${path}`);
    }
    const isUnreadable = field.kind !== "computed" && field.options.unreadable;
    return isUnreadable || sameValue(field, requested, shown) ? [] : [name];
  });
}

/**
 * Compares an object that a search found with the inputs of a create, in every field that the API shows and that the
 * create request sets. Returns the dotted paths of fields with another value, and of those that are not shown yet. The
 * name is left out: the search has compared it.
 */
export function compareFound(
  fields: Fields,
  observed: Values,
  inputs: Values,
): { readonly other: readonly string[]; readonly missing: readonly string[] } {
  const late = new Set(["name", ...deferredFields(fields)]);
  const compared = Object.fromEntries(Object.entries(fields).filter(([name]) => !late.has(name)));
  // An object that was created without a value must not show one, unless the API chooses it.
  const empty = Object.keys(compared).filter((name) => {
    const field = compared[name];
    return field !== undefined && (field.kind === "group" || !isSetByApi(field));
  });
  const drifted = driftedFields(compared, observed, inputs, new Set(empty));
  const isMissing = (path: string) => path.split(".").reduce<Value>(partOf, observed) === null;
  // A group that the object was created without has no candidates.
  const unrequested = Object.entries(compared).flatMap(([name, field]) => {
    const isRequested = (inputs[name] ?? null) !== null;
    const candidates = field.kind === "group" ? field.options.candidates : undefined;
    return isRequested || candidates === undefined || isNone(observed[candidates] ?? null) ? [] : [name];
  });
  return {
    other: [...drifted.filter((path) => !isMissing(path)), ...unrequested],
    missing: drifted.filter(isMissing),
  };
}

const partOf = (value: Value, name: string): Value => (isRecord(value) ? (value[name] ?? null) : null);

/**
 * Returns true if every complete response shows a value of the field: a required value, or one with a default. A response
 * without the value is incomplete and proves nothing about it.
 */
export function isAlwaysShown(field: Field): boolean {
  if (field.kind === "computed" || field.options.unreadable === true) return false;
  const { required, default: standard } = memberOf(field);
  return required || standard !== undefined;
}

/**
 * Returns a response without the empty strings and zeros that the fields do not accept: an API returns them for values
 * that it could not look up.
 */
export const withoutZeros = (fields: Fields, observed: Values): Values =>
  mapValues(observed, (value, name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field?.kind === "group" && isRecord(value)) return withoutZeros(field.fields, value);
    if (field?.kind !== "field" || field.options.showsZero === true) return value;
    const isZero = value === "" || value === 0;
    return isZero && !valueSchema(field).safeParse(value).success ? null : value;
  });

/** Field without a value in a response. */
export interface Unshown {
  /** Dotted path. */
  readonly path: string;
  readonly field: Field;
  readonly recorded: Value;
}

/** Returns the fields without a value in a response, and those inside the groups that it shows. */
const unshown = (fields: Fields, observed: Values, recorded: Values, path: Path = []): Unshown[] =>
  entriesOf(fields).flatMap(({ name, value: field }): Unshown[] => {
    const shown = observed[name] ?? null;
    const stored = recorded[name] ?? null;
    const here = [...path, name];
    if (shown === null) return [{ path: here.join("."), field, recorded: stored }];
    if (field.kind !== "group" || !isRecord(shown)) return [];
    return unshown(field.fields, shown, isRecord(stored) ? stored : {}, here);
  });

/** Returns the fields that every complete response shows and that this one lacks. */
export const missingFields = (fields: Fields, observed: Values, recorded: Values): Unshown[] =>
  unshown(fields, observed, recorded).filter(
    ({ field, recorded }) => isAlwaysShown(field) && (recorded === null || !sameValue(field, recorded, null)),
  );

/**
 * Returns true if a response lacks a recorded value, or an entry of one, that an object can lose. The response may be
 * incomplete, so another one decides.
 */
export const hasLost = (fields: Fields, observed: Values, recorded: Values): boolean =>
  entriesOf(fields).some(({ name, value: field }) => {
    const shown = observed[name] ?? null;
    const stored = recorded[name] ?? null;
    if (isKept(field) || (shown === null && isAlwaysShown(field)) || sameValue(field, stored, shown))
      return false;
    return field.kind === "group" && isRecord(shown) && isRecord(stored)
      ? hasLost(field.fields, shown, stored)
      : isUnset(field, shown) || lacks(shown, stored);
  });

/** Returns true if a value has fewer entries than the recorded one. */
function lacks(shown: Value, recorded: Value): boolean {
  if (Array.isArray(recorded)) return Array.isArray(shown) && shown.length < recorded.length;
  return (
    isRecord(recorded) && isRecord(shown) && Object.keys(recorded).some((key) => !Object.hasOwn(shown, key))
  );
}

/** Returns true if the state keeps the value of the field regardless of responses. */
const isKept = (field: Field): boolean =>
  field.kind === "computed" ? field.options.once === true : field.options.unreadable === true;

/**
 * Returns the later of two responses, of which the first one lacks recorded values, with the values of the first one that it
 * lacks. If a required field is in neither, they prove no loss: the recorded values are kept.
 */
export function confirmed(fields: Fields, first: Values, later: Values, recorded: Values): Values {
  const values = completed(fields, first, later);
  const isComplete = missingFields(fields, values, recorded).every(({ field }) => !memberOf(field).required);
  if (isComplete) return values;
  const lost = Object.entries(fields).filter(([name, field]) => hasLost({ [name]: field }, values, recorded));
  return { ...values, ...Object.fromEntries(lost.map(([name]) => [name, recorded[name] ?? null])) };
}

/** Returns the later response, with the values of the first one that it lacks. */
export function completed(fields: Fields, first: Values, later: Values): Values {
  const values = { ...later };
  for (const { name, value: field } of entriesOf(fields)) {
    const shown = first[name] ?? null;
    const second = later[name] ?? null;
    if (shown === null) continue;
    if (second === null) values[name] = shown;
    else if (field.kind === "group" && isRecord(shown) && isRecord(second))
      values[name] = completed(field.fields, shown, second);
  }
  return values;
}
