import type { Problem } from "../../core/error.ts";
import { entriesOf } from "../../core/memoize.ts";
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
import type { Member, ObjectShape, Shape } from "../../definition/shape.ts";

/**
 * Consistency rules that engines enforce on plans and results, checked before the response is sent. An engine discards
 * a response that breaks a rule, including the id of an object that was just created; an error of the provider keeps the
 * id.
 */

/** Returns a problem for each planned value that equals neither the configured nor the prior value. */
export function planInconsistencies(
  {
    config,
    prior,
    planned,
  }: { readonly config: Values; readonly prior: Values | undefined; readonly planned: Values },
  shape: ObjectShape,
  path: Path = [],
): Problem[] {
  return entriesOf(shape.fields).flatMap(({ name, value: member }) => {
    const here = [...path, name];
    const set = config[name] ?? null;
    const before = prior?.[name] ?? null;
    const after = planned[name] ?? null;
    if (member.writeOnly)
      return after === null ? [] : [{ path: here, problem: "was planned although it is write-only" }];
    if (set === null) return isComputed(member) || after === null ? [] : [unconfigured(here)];
    if (member.shape.kind === "object" && isRecord(set))
      return isRecord(after)
        ? planInconsistencies(
            { config: set, prior: isRecord(before) ? before : undefined, planned: after },
            member.shape,
            here,
          )
        : [{ path: here, problem: "was left out of the plan" }];
    return equal(after, set) || equal(after, before)
      ? []
      : [{ path: here, problem: "was planned with a different value than configured" }];
  });
}

const unconfigured = (path: Path): Problem => ({
  path,
  problem: "was planned although it is not configured",
});

const isComputed = (member: Member): boolean => member.setBy !== "user" || member.default !== undefined;

/** Returns the differences between a plan and the result of its apply: known values must be equal, unknown ones known. */
export function resultInconsistencies(
  planned: Value,
  result: Value,
  shape: Shape,
  path: Path = [],
): Problem[] {
  if (result === UNKNOWN) return [{ path, problem: "is still unknown" }];
  if (planned === UNKNOWN) return hasUnknown(result) ? [{ path, problem: "is still unknown" }] : [];
  const compared = () =>
    equal(planned, result) ? [] : [{ path, problem: "differs from the planned value" }];
  if (planned === null || result === null) return compared();
  if (shape.kind === "object" && isRecord(planned) && isRecord(result))
    return entriesOf(shape.fields).flatMap(({ name, value: member }) =>
      resultInconsistencies(planned[name] ?? null, result[name] ?? null, member.shape, [...path, name]),
    );
  if (shape.kind === "set" && Array.isArray(planned) && Array.isArray(result))
    return sameElements(planned, result) ? [] : [{ path, problem: "differs from the planned value" }];
  if (shape.kind === "list" && Array.isArray(planned) && Array.isArray(result))
    return planned.length === result.length
      ? planned.flatMap((item, index) =>
          resultInconsistencies(item, result[index] ?? null, shape.of, [...path, index]),
        )
      : [{ path, problem: "has a different length than planned" }];
  if (shape.kind === "map" && isRecord(planned) && isRecord(result))
    return equal(Object.keys(planned).toSorted(), Object.keys(result).toSorted())
      ? Object.entries(planned).flatMap(([key, item]) =>
          resultInconsistencies(item, result[key] ?? null, shape.of, [...path, key]),
        )
      : [{ path, problem: "has different keys than planned" }];
  return compared();
}

/** Compares elements in any order; an unknown planned element matches any. */
const sameElements = (planned: Value[], result: Value[]): boolean =>
  planned.every((item) => hasUnknown(item) || result.some((other) => equal(item, other))) &&
  (planned.some(hasUnknown)
    ? result.length <= planned.length
    : result.every((item) => planned.some((other) => equal(item, other))));

/** Returns the value with null in place of unknown values, which a state cannot contain. */
export function unknownAsNull(value: Value): Value {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return value.map(unknownAsNull);
  if (!isRecord(value)) return value;
  const known = emptyRecord();
  for (const [name, item] of Object.entries(value)) known[name] = unknownAsNull(item);
  return known;
}
