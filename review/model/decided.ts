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

/** Plans as rules judge them: a sensitive value counts as its content, and one that the engine masks as unknown. */

/** Returns plans without marks of sensitive values. Changes without such a mark are the same objects. */
export function decidedPlans(plans: readonly Plan[]): readonly Plan[] {
  const isHidden = ({ before, after }: Change) => isMarked(before ?? null) || isMarked(after ?? null);
  if (!plans.some(({ changes, drift }) => changes.some(isHidden) || drift.some(isHidden))) return plans;
  return plans.map((plan) => ({
    ...plan,
    changes: plan.changes.map(decided),
    drift: plan.drift.map(decided),
  }));
}

function decided(change: Change): Change {
  const [before, after] = [readable(change.before), readable(change.after)];
  return before === change.before && after === change.after
    ? change
    : { ...change, before, after, asRead: change };
}

const readable = (values: Values | undefined): Values | undefined =>
  values === undefined || !isMarked(values) ? values : (withoutMasks(reveal(values)) as Values);

function withoutMasks(value: Value): Value {
  if (value === masked) return UNKNOWN;
  if (Array.isArray(value)) return value.map(withoutMasks);
  return isRecord(value) ? mapValues(value, withoutMasks) : value;
}
