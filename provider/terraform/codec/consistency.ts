import type { Problem } from "../../core/error.ts";
import {
  emptyRecord,
  equal,
  hasUnknown,
  isRecord,
  type Path,
  UNKNOWN,
  type Value,
  type Values,
} from "../../core/value.ts";
import type { Member, Shape } from "../../definition/shape.ts";
import type { ObjectShape } from "./schema.ts";

/**
 * What an engine checks of our answers, checked before it does. Its own refusal discards the answer, and with it
 * the id of an object that was just made; ours comes with it.
 */

/** Where a planned value is neither what was configured nor what was there before. */
export function misplanned(
  config: Values,
  prior: Values | undefined,
  planned: Values,
  shape: ObjectShape,
  path: Path = [],
): Problem[] {
  return Object.entries(shape.fields).flatMap(([name, member]) => {
    const here = [...path, name];
    const set = config[name] ?? null;
    const before = prior?.[name] ?? null;
    const after = planned[name] ?? null;
    if (member.writeOnly)
      return after === null ? [] : [{ path: here, problem: "was planned though only sent" }];
    if (set === null) return isComputed(member) || after === null ? [] : [unasked(here)];
    if (member.shape.kind === "object" && isRecord(set))
      return isRecord(after)
        ? misplanned(set, isRecord(before) ? before : undefined, after, member.shape, here)
        : [{ path: here, problem: "was left out of the plan" }];
    return equal(after, set) || equal(after, before)
      ? []
      : [{ path: here, problem: "was planned otherwise than configured" }];
  });
}

const unasked = (path: Path): Problem => ({ path, problem: "was planned though nobody set it" });

const isComputed = (member: Member): boolean => member.setBy !== "user" || member.default !== undefined;

/** Where an answer breaks what its plan promised: known values stay, and nothing stays unknown. */
export function broken(planned: Value, answer: Value, shape: Shape, path: Path = []): Problem[] {
  if (answer === UNKNOWN) return [{ path, problem: "is not known after all" }];
  if (planned === UNKNOWN) return hasUnknown(answer) ? [{ path, problem: "is not known after all" }] : [];
  const kept = () => (equal(planned, answer) ? [] : [{ path, problem: "is not what was planned" }]);
  if (planned === null || answer === null) return kept();
  if (shape.kind === "object" && isRecord(planned) && isRecord(answer))
    return Object.entries(shape.fields).flatMap(([name, member]) =>
      broken(planned[name] ?? null, answer[name] ?? null, member.shape, [...path, name]),
    );
  if (shape.kind === "set" && Array.isArray(planned) && Array.isArray(answer))
    return sameElements(planned, answer) ? [] : [{ path, problem: "is not what was planned" }];
  if (shape.kind === "list" && Array.isArray(planned) && Array.isArray(answer))
    return planned.length === answer.length
      ? planned.flatMap((item, at) => broken(item, answer[at] ?? null, shape.of, [...path, at]))
      : [{ path, problem: "has another length than was planned" }];
  if (shape.kind === "map" && isRecord(planned) && isRecord(answer))
    return equal(Object.keys(planned).toSorted(), Object.keys(answer).toSorted())
      ? Object.entries(planned).flatMap(([key, item]) =>
          broken(item, answer[key] ?? null, shape.of, [...path, key]),
        )
      : [{ path, problem: "has other keys than were planned" }];
  return kept();
}

/** The same elements in any order; an unknown one stands for any. */
const sameElements = (planned: Value[], answer: Value[]): boolean =>
  planned.every((item) => hasUnknown(item) || answer.some((other) => equal(item, other))) &&
  (planned.some(hasUnknown)
    ? answer.length <= planned.length
    : answer.every((item) => planned.some((other) => equal(item, other))));

/** Nothing unknown: what is kept of an answer that may not go home as it is. */
export function withoutUnknown(value: Value): Value {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return value.map(withoutUnknown);
  if (!isRecord(value)) return value;
  const kept = emptyRecord();
  for (const [name, item] of Object.entries(value)) kept[name] = withoutUnknown(item);
  return kept;
}

/** Whether an identity can be told: every part of it known. A half known one stops OpenTofu's plan. */
export const isIdentified = (values: Values, { fields }: ObjectShape): boolean =>
  Object.keys(fields).every((name) => typeof values[name] === "string" && values[name] !== "");

/** Where an identity is another than it was. What was never told may be told now. */
export const misidentified = (before: Values, after: Values, { fields }: ObjectShape): Problem[] =>
  Object.keys(fields).flatMap((name) => {
    const known = before[name] ?? null;
    return known === null || equal(known, after[name] ?? null)
      ? []
      : [{ path: [name], problem: "is another than it was" }];
  });
