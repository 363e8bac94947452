import { isMasked, matchesMasked } from "../../core/krn.ts";
import { isRecord, mapValues, reveal, type Value, type Values } from "../../core/value.ts";

/** Completes ids that a response masks in part (docs/contract.md#1.4). */

/** Returns a response in which each masked id that matches exactly one recorded id is replaced by that id. */
export function withoutMasks(seen: Values, recorded: Values): Values {
  let known: readonly string[] | undefined;
  const complete = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(complete);
    if (isRecord(value)) return mapValues(value, complete);
    if (typeof value !== "string" || !value.startsWith("krn:") || !isMasked(value)) return value;
    known ??= [...new Set(textsIn(reveal(recorded)))];
    const [id, ...others] = known.filter((text) => !isMasked(text) && matchesMasked(value, text));
    return others.length > 0 ? value : (id ?? value);
  };
  return mapValues(seen, complete);
}

/** Returns true if a value, or a part of it, is masked. */
export const hasMask = (value: Value): boolean =>
  textsIn(value).some((text) => /^\*{3,}$/.test(text) || (text.startsWith("krn:") && isMasked(text)));

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
