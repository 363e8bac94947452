import type { Problem } from "../../core/error.ts";
import { isRecord, isSecret, type Value, type Values } from "../../core/value.ts";
import type { Checkable } from "../../definition/check.ts";
import { hide } from "../pulumi.ts";
import { reasonOf } from "../text.ts";

/** What is wrong with inputs, as the engine prints it: `property NAME value VALUE has a problem: REASON`. */
export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/**
 * The engine prints the value of the property that a failure names, and knows those of the top level only. So a
 * failure names one that was given and holds no secret; any other place stands in the reason.
 */
export function failureOf({ fields }: Checkable, written: Values, problem: Problem): Failure {
  const [name = "", ...rest] = problem.path;
  const value = hide(fields, written, [])[name] ?? null;
  if (rest.length > 0 || value === null || holdsSecret(value))
    return { property: "", reason: reasonOf(problem) };
  return { property: String(name), reason: problem.problem };
}

/** Whether any part of it is secret. */
export function holdsSecret(value: Value): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isSecret(value) || (isRecord(value) && Object.values(value).some(holdsSecret));
}
