import type { Rehearsal } from "./rehearsal.ts";

/** Outcome of a rehearsal as far as the review trusts it. */

/** Rehearsal of an input. */
export interface Rehearsed {
  /** Name of the input. */
  readonly plan: string;
  readonly rehearsal: Rehearsal;
}

/** Outcomes, the worst first. */
export const outcomes = ["fails", "does not converge", "applies"] as const;
export type Outcome = (typeof outcomes)[number];

/** Returns the outcome of a rehearsal. A sign of a failure counts, whatever `isComplete` is. */
export function outcomeOf({ isComplete, steps, objects, errors, secondPlan }: Rehearsal): Outcome {
  if (
    !isComplete ||
    errors.length > 0 ||
    steps.some(({ result }) => result === "failed") ||
    objects.some((object) => object.class === "failed" || object.class === "not reached")
  )
    return "fails";
  return secondPlan?.length === 0 ? "applies" : "does not converge";
}
