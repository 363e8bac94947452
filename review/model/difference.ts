import {
  equal,
  isRecord,
  isSecret,
  type Path,
  reveal,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import { sameValue } from "../../provider/definition/equality.ts";
import type { Field, Fields } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import type { Change } from "./change.ts";
import { uncomparedIn } from "./uncompared.ts";

/** Changed value of an object. */
export interface Difference {
  /** Path of the value; ends with the key for an entry of a map, such as a tag. */
  readonly path: Path;
  /** True for one entry of the map `field`. */
  readonly isEntry: boolean;
  readonly before: Value;
  /** UNKNOWN if it is known only after the apply. */
  readonly after: Value;
  /** Definition of the field; undefined for other providers. */
  readonly field: Field | undefined;
  /** Set if the change forces the replacement of the object. */
  readonly forcesReplacement: boolean;
  /** Set if the plan records the value although the API does not show that of the object. */
  readonly isUncompared: boolean;
}

const known = new WeakMap<Change, readonly Difference[]>();

/**
 * Returns the values that a change sets or changes, in the order of the definition; computed once. Omits values of equal
 * meaning, and values that the API sets for an object that does not exist yet. Consecutive equal changes, such as those of a
 * resource with many instances, share one list.
 */
export function differencesOf(change: Change): readonly Difference[] {
  const found = known.get(change);
  if (found !== undefined) return found;
  const differences = sharedOr(compare, change);
  known.set(change, differences);
  return differences;
}

/** Last change of each kind of object, with the names of its changed values, and its differences. */
const latest = new WeakMap<Resource, readonly [Change, readonly string[], readonly Difference[]]>();

/** Returns the differences of the last change of this kind of object if it equals this one, else the result of `make`. */
function sharedOr(make: (change: Change) => Difference[], change: Change): readonly Difference[] {
  const { resource, before, after, forcedBy, changedPaths } = change;
  if (resource === undefined || after === undefined || forcedBy.length > 0 || changedPaths !== undefined)
    return make(change);
  const names = changedNames(resource.fields, before ?? {}, after);
  const [last, lastNames, shared] = latest.get(resource) ?? [undefined, [], []];
  if (
    last !== undefined &&
    names.length === lastNames.length &&
    names.every((name, index) => name === lastNames[index]) &&
    doesSame(change, last, names)
  )
    return shared;
  const differences = make(change);
  latest.set(resource, [change, names, differences]);
  return differences;
}

/** Returns true if two changes of one kind of object have the same values for these names; false for sensitive values. */
const doesSame = (one: Change, other: Change, names: readonly string[]): boolean =>
  one.engine === other.engine &&
  one.action === other.action &&
  (one.importedId === undefined) === (other.importedId === undefined) &&
  (one.before === undefined) === (other.before === undefined) &&
  names.every(
    (name) =>
      isIdentical(one.after?.[name], other.after?.[name]) &&
      isIdentical(one.before?.[name], other.before?.[name]),
  );

/**
 * Returns true if two values are equal with their entries in the same order, because the differences of a map keep that order.
 */
function isIdentical(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return false;
  if (isSecret(a) || isSecret(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const [entries, others] = [Object.entries<Value>(a), Object.entries<Value>(b)];
  return (
    entries.length === others.length &&
    entries.every(
      ([name, part], index) => name === others[index]?.[0] && isIdentical(part, others[index]?.[1]),
    )
  );
}

function compare(change: Change): Difference[] {
  const { before, after, resource, forcedBy } = change;
  if (after === undefined) return [];
  const differences: Difference[] = [];
  const forces = (path: Path): boolean =>
    forcedBy.some((forced) => forced.every((step, index) => index >= path.length || step === path[index]));
  const uncompared = uncomparedIn(change);
  const add = (difference: Omit<Difference, "forcesReplacement" | "isUncompared">) => {
    differences.push({
      ...difference,
      forcesReplacement: forces(difference.path),
      isUncompared: uncompared.includes(String(difference.path[0])),
    });
  };
  const isNamed = (path: Path): boolean =>
    (change.changedPaths ?? []).some(
      (named) =>
        named.length >= path.length && path.every((step, index) => String(step) === String(named[index])),
    );
  const isNew = before === undefined || change.action === "replace";
  const walk = (fields: Fields | undefined, left: Values, right: Values, path: Path) => {
    for (const name of changedNames(fields, left, right)) {
      const a = left[name] ?? null;
      const b = right[name] ?? null;
      const field = fields?.[name];
      if (isSame(field, a, b) && !(isHidden(b) && isNamed([...path, name]))) continue;
      if (b === UNKNOWN && isNew && (field === undefined || field.kind === "computed")) continue;
      // `concat` instead of a spread, which reserves more capacity: thousands of paths would need twice the memory.
      const innerPath = path.concat(name);
      if (field?.kind === "group" && isGroup(a) && isGroup(b))
        walk(field.fields, a ?? {}, b ?? {}, innerPath);
      else if (field === undefined && isRecord(a) && isRecord(b)) walk(undefined, a, b, innerPath);
      else if (isRecord(a) && isRecord(b)) {
        // Entries of a map, such as tags.
        for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
          if (!isSame(undefined, a[key] ?? null, b[key] ?? null))
            add({
              path: innerPath.concat(key),
              isEntry: true,
              before: a[key] ?? null,
              after: b[key] ?? null,
              field,
            });
      } else add({ path: innerPath, isEntry: false, before: a, after: b, field });
    }
  };
  walk(resource?.fields, before ?? {}, after, []);
  return differences;
}

/**
 * Returns the names whose values differ or cannot be compared: first those of the definition in its order, then others, such as those
 * of a later version of the provider.
 */
function changedNames(fields: Fields | undefined, left: Values, right: Values): readonly string[] {
  const changed: string[] = [];
  for (const name in left) if (left[name] !== right[name] || isHidden(left[name])) changed.push(name);
  for (const name in right) if (left[name] === undefined && !Object.hasOwn(left, name)) changed.push(name);
  if (fields === undefined || changed.length === 0) return changed;
  const known = Object.keys(fields);
  const others = changed.filter((name) => !Object.hasOwn(fields, name) && !name.startsWith("__"));
  return [...known.filter((name) => changed.includes(name)), ...others];
}

/** Returns true for a value that the engine may have masked: only the engine knows whether it changes. */
const isHidden = (value: Value | undefined): boolean => value === UNKNOWN || isSecret(value);

/** Returns true for the value of a group. An unset group counts as a group without values. */
const isGroup = (value: Value): value is Values | null => value === null || isRecord(value);

function isSame(field: Field | undefined, a: Value, b: Value): boolean {
  if (a === b) return true;
  if (field !== undefined) return haveSameMeaning(field, a, b);
  return isSecret(a) || isSecret(b) ? equal(reveal(a), reveal(b)) : equal(a, b);
}

/** Returns true for values of equal meaning. A redacted JSON text is no JSON, and differs from every other one. */
function haveSameMeaning(field: Field, a: Value, b: Value): boolean {
  try {
    return sameValue(field, a, b);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
