import { equal, reveal, UNKNOWN, type Value } from "../core/value.ts";
import type { Field } from "./field.ts";

/** What APIs write for "none", each as it likes. */
export const isNone = (value: Value): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** Equal, or equal in meaning: what an engine compares by path and what a user would call no change. */
export const sameValue = (field: Field, a: Value, b: Value): boolean =>
  sameRevealed(field, reveal(a), reveal(b));

/** The same for values without marks. */
export function sameRevealed(field: Field, left: Value, right: Value): boolean {
  if (equal(left, right)) return true;
  if (isNone(left) && isNone(right)) return true;
  if (field.kind !== "field" || left === null || right === null || left === UNKNOWN || right === UNKNOWN)
    return false;
  const { unordered } = field.options;
  if (unordered && Array.isArray(left) && Array.isArray(right) && sameItems(left, right)) return true;
  return field.options.same?.(left as never, right as never) ?? false;
}

/** The same items, each as often, in any order. */
function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  const rest = [...b];
  return (
    a.length === b.length &&
    a.every((item) => {
      const found = rest.findIndex((other) => equal(item, other));
      if (found >= 0) rest.splice(found, 1);
      return found >= 0;
    })
  );
}
