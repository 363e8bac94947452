import { comparable, mayBeSameId } from "../core/krn.ts";
import { emptyRecord, equal, isRecord, reveal, UNKNOWN, type Value } from "../core/value.ts";
import type { Field } from "./field.ts";

/** Returns true for the values by which APIs mean "none": null, an empty string, an empty list and an empty object. */
export const isNone = (value: Value): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Returns true if the value means "none": `isNone`, the value that the API shows for none (`unset`), or a group of such
 * values. A group without set members equals no group.
 */
export function isUnset(field: Field, value: Value): boolean {
  if (isNone(value)) return true;
  if (field.kind === "group")
    return (
      isRecord(value) &&
      Object.entries(field.fields).every(([name, part]) => isUnset(part as Field, value[name] ?? null))
    );
  return field.kind === "field" && field.options.unset === value;
}

/**
 * Returns true if two values of a field are equal or have the same meaning, so that there is no change to plan. Secret
 * marks are ignored.
 */
export const sameValue = (field: Field, a: Value, b: Value): boolean =>
  sameRevealed(field, reveal(a), reveal(b));

/** Compares like `sameValue`, for values without secret marks. */
export function sameRevealed(field: Field, left: Value, right: Value): boolean {
  if (equal(left, right)) return true;
  if (isUnset(field, left) && isUnset(field, right)) return true;
  if (field.kind !== "field" || left === null || right === null || left === UNKNOWN || right === UNKNOWN)
    return false;
  const { unordered, secret, same, references } = field.options;
  const one: Value = secret ? left : normalized(left);
  const other: Value = secret ? right : normalized(right);
  const isSame = references === undefined ? equal : sameReference;
  if (isSame(one, other)) return true;
  if (unordered && Array.isArray(one) && Array.isArray(other) && sameItems(one, other, isSame)) return true;
  return same?.(left as never, right as never) ?? false;
}

/** Returns true for equal ids, also if one of them is the last part of the other one. */
const sameReference = (a: Value, b: Value): boolean =>
  typeof a === "string" && typeof b === "string" ? mayBeSameId(a, b) : equal(a, b);

/**
 * Returns a value with each text in normalized Unicode form: Terraform normalizes every text, and the form that the API
 * returns is not documented. Ids have the spelling by which they are compared.
 */
function normalized(value: Value): Value {
  if (typeof value === "string") return value.startsWith("krn:") ? comparable(value) : value.normalize();
  if (Array.isArray(value)) return value.map(normalized);
  if (!isRecord(value)) return value;
  const record = emptyRecord();
  for (const [name, part] of Object.entries(value)) record[name.normalize()] = normalized(part);
  return record;
}

/** Returns true if two lists contain the same items, each equally often, in any order. */
function sameItems(
  a: readonly Value[],
  b: readonly Value[],
  isSame: (a: Value, b: Value) => boolean,
): boolean {
  const rest = [...b];
  return (
    a.length === b.length &&
    a.every((item) => {
      const found = rest.findIndex((other) => isSame(item, other));
      if (found >= 0) rest.splice(found, 1);
      return found >= 0;
    })
  );
}
