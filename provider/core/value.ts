/**
 * The values of the core: plain JSON, plus two things an engine may hand us. What is null, absent, empty or
 * unknown on a wire is settled once, in each adapter's `values.ts`; here `null` is "none" and nothing else is.
 */

/** Not known before something else is applied. */
export const UNKNOWN: unique symbol = Symbol("unknown");
/** The one value of that kind. */
export type Unknown = typeof UNKNOWN;

const HIDDEN: unique symbol = Symbol("secret");
/** A value its owner marked secret. It prints and serialises as nothing at all. */
export interface Secret {
  readonly [HIDDEN]: Value;
}

/** A value with nothing unknown and no marks: JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
/** Any value of the core. */
export type Value = null | boolean | number | string | Unknown | Secret | Value[] | { [name: string]: Value };
/** A record of values by field name. */
export type Values = { [name: string]: Value };

/** Where in a value: property names and list indices, outermost first. */
export type Path = readonly (string | number)[];

/** What every mark inherits from: to compare it is much cheaper than to look for a property. */
const mark = Object.freeze({});

/** The value under a mark; `reveal` takes it off again. */
export const secret = (value: Value): Secret => Object.create(mark, { [HIDDEN]: { value } });

/** Whether the value bears the mark itself; its parts are not looked at. */
export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === mark;

/** Whether it is a record: no list, no mark, no none. */
export const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isSecret(value);

/** Whether it, or anything in it, bears a mark. */
function isMarked(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isSecret(value)) return true;
  for (const part of Object.values(value)) if (isMarked(part)) return true;
  return false;
}

/** The value without its secret marks, at every depth; the same value where there are none. */
export const reveal = (value: Value): Value => (isMarked(value) ? unmarked(value) : value);

function unmarked(value: Value): Value {
  if (isSecret(value)) return unmarked(value[HIDDEN]);
  if (Array.isArray(value)) return value.map(unmarked);
  if (isRecord(value)) return mapValues(value, unmarked);
  return value;
}

/** The value with the marks that `like` carries at the same places: what came in secret goes out secret. */
export function conceal(value: Value, like: Value | undefined): Value {
  if (like === undefined || isSecret(value) || !isMarked(like)) return value;
  if (isSecret(like)) return secret(value);
  if (Array.isArray(value) && Array.isArray(like)) return value.map((item, at) => conceal(item, like[at]));
  if (isRecord(value) && isRecord(like)) return mapValues(value, (item, name) => conceal(item, like[name]));
  return value;
}

/** Whether anything in it, at any depth, is unknown. */
export function hasUnknown(value: Value | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === UNKNOWN;
  if (isSecret(value)) return hasUnknown(value[HIDDEN]);
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isRecord(value) && Object.values(value).some(hasUnknown);
}

/**
 * An empty record that inherits nothing: `__proto__` is a name like any other. What `Object.create(null)` gives is kept
 * as a hash table, which is larger and walked at half the speed.
 */
export const emptyRecord = (): Values => new (Bare as unknown as { new (): Values })();
function Bare() {}
Bare.prototype = Object.create(null);

/** A record built from another. */
export function mapValues<T>(record: { [name: string]: T }, map: (value: T, name: string) => Value): Values {
  const made = emptyRecord();
  for (const [name, value] of Object.entries(record)) made[name] = map(value, name);
  return made;
}

/** The value at a path, or undefined where nothing is. What lies under a mark comes out marked. */
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

/** Equal to the letter; key order has no meaning. */
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
