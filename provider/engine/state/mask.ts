import { comparable, isMasked, matchesMasked } from "../../core/krn.ts";
import { isRecord, mapValues, reveal, type Value, type Values } from "../../core/value.ts";

/** Completes ids that a response masks in part (docs/contract.md#1.4) or spells otherwise than the state. */

/**
 * Returns a response in which each id that equals a recorded one by its parts, and each masked id that matches exactly one
 * recorded id, is replaced by the recorded id.
 */
export function withRecordedIds(observed: Values, recorded: Values): Values {
  /** Recorded ids by their comparable spelling. */
  let known: ReadonlyMap<string, string> | undefined;
  const spelled = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(spelled);
    if (isRecord(value)) return mapValues(value, spelled);
    if (typeof value !== "string" || !/^krn:/i.test(value)) return value;
    known ??= new Map(completeIdsIn(recorded).map((id) => [comparable(id), id]));
    if (!isMasked(value)) return known.get(comparable(value)) ?? value;
    const [id, ...others] = [...known.values()].filter((each) => matchesMasked(value, each));
    return others.length > 0 ? value : (id ?? value);
  };
  // The id of the object itself is no recorded value: the caller knows its spelling.
  return mapValues(observed, (value, name) =>
    name === "id" || value === recorded[name] ? value : spelled(value),
  );
}

const completeIdsIn = (values: Values): readonly string[] =>
  textsIn(reveal(values)).filter((text) => /^krn:/i.test(text) && !isMasked(text));

/** Returns true if a value, or a part of it, is masked. */
export const hasMask = (value: Value): boolean =>
  textsIn(value).some((text) => /^\*{3,}$/.test(text) || (text.startsWith("krn:") && isMasked(text)));

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
