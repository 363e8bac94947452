import {
  isMarked,
  isRecord,
  mapValues,
  reveal,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import type { Change } from "./change.ts";
import type { Plan } from "./plan.ts";
import { masked } from "./redaction.ts";
import { onlyRecords, withoutUncompared } from "./uncompared.ts";

/**
 * Plans as rules judge them: a sensitive value counts as its content, and as unknown if the engine masks it, or if an import records
 * it although the API does not show it.
 */

/** Returns plans without marks of sensitive values. Changes without hidden values are the same objects. */
export function decidedPlans(plans: readonly Plan[]): readonly Plan[] {
  const isHidden = (change: Change) =>
    isMarked(change.before ?? null) || isMarked(change.after ?? null) || withoutUncompared(change) !== change;
  if (!plans.some(({ changes, drift }) => changes.some(isHidden) || drift.some(isHidden))) return plans;
  return plans.map((plan) => ({
    ...plan,
    changes: plan.changes.map(decided),
    drift: plan.drift.map(decided),
  }));
}

function decided(change: Change): Change {
  const shown = withoutUncompared(change);
  const [before, after] = [readable(shown.before), readable(shown.after)];
  return before === change.before && after === change.after
    ? change
    : { ...shown, before, after, asRead: change };
}

/** Returns values without marks of sensitive ones; those that the engine masks are unknown. */
const readable = (values: Values | undefined): Values | undefined =>
  values === undefined || !isMarked(values) ? values : (withoutMasks(reveal(values)) as Values);

function withoutMasks(value: Value): Value {
  if (value === masked) return UNKNOWN;
  if (Array.isArray(value)) return value.map(withoutMasks);
  return isRecord(value) ? mapValues(value, withoutMasks) : value;
}

/** Returns the values that a change only records, as the configuration asserts them; those after the change if it does more. */
export const assertedAfter = ({ after, asRead }: Change): Values | undefined =>
  asRead !== undefined && onlyRecords(asRead) ? readable(asRead.after) : after;
