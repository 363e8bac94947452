/**
 * Values of the core: plain JSON, and the unknown and secret values that engines pass. The `value.ts` of each adapter
 * converts the null, absent, empty and unknown values of its protocol; in the core only `null` means "none".
 */

/** Value that is unknown until another object is applied. */
export const UNKNOWN: unique symbol = Symbol("unknown");
/** Type of `UNKNOWN`. */
export type Unknown = typeof UNKNOWN;

const HIDDEN: unique symbol = Symbol("secret");
/** Value that is marked as secret. Printing or serializing it does not reveal the value. */
export interface Secret {
  readonly [HIDDEN]: Value;
}

/** Value without unknown parts and secret marks: JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
/** Any value of the core. */
export type Value = null | boolean | number | string | Unknown | Secret | Value[] | { [name: string]: Value };
/** Record of values by field name. */
export type Values = { [name: string]: Value };

/** Position in a value: property names and list indices, outermost first. */
export type Path = readonly (string | number)[];

/** Prototype of all secret marks: comparing a prototype is much faster than reading a property. */
const mark = Object.freeze({});

/** Marks a value as secret; `reveal` removes the mark. */
export const secret = (value: Value): Secret => Object.create(mark, { [HIDDEN]: { value } });

/** Returns true if the value itself is marked as secret; its parts are not checked. */
export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === mark;

/** Returns true for a record, and false for a list, a secret and null. */
export const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isSecret(value);

/** Returns true if the value or any part of it is marked as secret. */
export function isMarked(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isSecret(value)) return true;
  // Loops are several times faster than `Object.values`, and most values have no mark.
  if (Array.isArray(value)) {
    for (const item of value) if (isMarked(item)) return true;
  } else for (const name in value) if (isMarked(value[name] as Value)) return true;
  return false;
}

/** Returns the value without secret marks at any depth; the same value if it has none. */
export const reveal = (value: Value): Value => (isMarked(value) ? unmarked(value) : value);

function unmarked(value: Value): Value {
  if (isSecret(value)) return unmarked(value[HIDDEN]);
  if (Array.isArray(value)) return value.map(unmarked);
  if (isRecord(value)) return mapValues(value, unmarked);
  return value;
}

/**
 * Returns the value with the secret marks of `like` at the same paths, so that a secret input stays secret in the output.
 */
export function conceal(value: Value, like: Value | undefined): Value {
  if (like === undefined || isSecret(value) || !isMarked(like)) return value;
  if (isSecret(like)) return secret(value);
  if (Array.isArray(value) && Array.isArray(like))
    return value.map((item, index) => conceal(item, like[index]));
  if (isRecord(value) && isRecord(like)) return mapValues(value, (item, name) => conceal(item, like[name]));
  return value;
}

/** Returns true if the value or any part of it is unknown. */
export function hasUnknown(value: Value | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === UNKNOWN;
  if (isSecret(value)) return hasUnknown(value[HIDDEN]);
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isRecord(value) && Object.values(value).some(hasUnknown);
}

/**
 * Returns an empty record without inherited properties, so that `__proto__` is an ordinary name. Node stores an object of
 * `Object.create(null)` as a hash table, which is larger and iterates at half the speed.
 */
export const emptyRecord = (): Values => new (Bare as unknown as { new (): Values })();
function Bare() {}
Bare.prototype = Object.create(null);

/** Returns a record with each value replaced by the result of `map`. */
export function mapValues<T>(record: { [name: string]: T }, map: (value: T, name: string) => Value): Values {
  const mapped = emptyRecord();
  for (const [name, value] of Object.entries(record)) mapped[name] = map(value, name);
  return mapped;
}

/** Returns the value at a path; undefined if there is none. A value inside a secret is returned as secret. */
export function at(value: Value | undefined, path: Path, depth = 0): Value | undefined {
  const step = path[depth];
  if (step === undefined) return value;
  if (isSecret(value)) {
    const found = at(value[HIDDEN], path, depth);
    return found === undefined || isSecret(found) ? found : secret(found);
  }
  if (Array.isArray(value) && typeof step === "number") return at(value[step], path, depth + 1);
  if (isRecord(value) && typeof step === "string" && Object.hasOwn(value, step))
    return at(value[step], path, depth + 1);
  return undefined;
}

/** Returns true if both values are exactly equal. The order of keys does not matter. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}
