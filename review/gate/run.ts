import { decidedPlans } from "../model/decided.ts";
import type { Rehearsed } from "../model/outcome.ts";
import { type Plan, sortedPlans } from "../model/plan.ts";
import { publishedIn } from "../model/published.ts";
import { relationsOf } from "../model/relation.ts";
import { rules } from "../rule/catalogue.ts";
import type { RuleHits, RuleResults, RuleSettings } from "../rule/rule.ts";
import { driftHits } from "./drift.ts";

/**
 * Runs the built-in rules over plans and their rehearsals, and adds the hits of custom rules, which ran in their own processes (`runCustomRules`). The
 * report makes findings of the hits, and redacts them.
 */
export function runRules(
  plans: readonly Plan[],
  settings: RuleSettings,
  {
    custom = [],
    rehearsals = [],
  }: { readonly custom?: readonly RuleHits[]; readonly rehearsals?: readonly Rehearsed[] } = {},
): RuleResults {
  const decided = decidedPlans(sortedPlans(plans));
  const changes = decided.flatMap((plan) => plan.changes);
  const published = publishedIn(plans);
  const judged = {
    plans: decided,
    changes,
    relations: relationsOf(changes),
    settings,
    published,
    rehearsals,
  };
  const found = rules.map((rule) => ({ rule, hits: [...rule.check(judged)] }));
  return { judged, builtIn: [...found, ...driftHits(rules, judged)], custom };
}
