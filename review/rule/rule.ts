import type { Path } from "../../provider/core/value.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { Relations } from "../model/relation.ts";

/** Rules of the review: pure functions over the plans. */

/** Severity of a finding, the worst first. */
export const severities = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** How certain a finding is: the plan proves it, it is likely, or only a look at the cloud can answer. */
export type Confidence = "proven" | "likely" | "needs a live check";

/** Settings of rules, from the policy. */
export interface RuleSettings {
  /** Tags that every object with tags must have. */
  readonly requiredTags: readonly string[];
  /** Number of deletes in a plan above which they are a finding. */
  readonly manyDeletes: number;
  /** Share of the objects of a plan above which deletes are a finding, from 0 to 1. */
  readonly manyDeletesShare: number;
}

/** Everything that a rule may read. */
export interface RuleContext {
  readonly plans: readonly Plan[];
  /** Planned changes of all plans; drift is in `plans`. */
  readonly changes: readonly Change[];
  readonly relations: Relations;
  readonly settings: RuleSettings;
}

/** One place where a rule applies. */
export interface Hit {
  /** Object that it is about; without one, it is about the plan. */
  readonly change?: Change;
  /** Name of the plan, for a hit without an object. */
  readonly plan?: string;
  /** Field that it is about. */
  readonly path?: Path;
  /** One or two sentences: the danger, with the values that make it one. */
  readonly text: string;
  /** Another severity, confidence or remedy than that of the rule. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly remedy?: string;
}

/** Form of the id of a rule: a family and a number or name. */
export const ruleId = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/;

/** A rule. Ids never change: waivers name them. */
export interface Rule {
  readonly id: string;
  /** The danger in a few words, as a heading. */
  readonly title: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** When the rule applies, and why it matters; for `kcloud review explain`. */
  readonly about: string;
  /** How to avoid the danger, as an instruction. */
  readonly remedy: string;
  /** Returns the places where it applies. Must not change its argument. */
  readonly check: (context: RuleContext) => Iterable<Hit>;
}

/** Defines a rule that looks at one changed object at a time. */
export const changeRule = (
  rule: Omit<Rule, "check">,
  check: (change: Change, context: RuleContext) => Iterable<Hit> | Hit | undefined,
): Rule => ({
  ...rule,
  check: (context) => {
    const hits: Hit[] = [];
    for (const change of context.changes) {
      if (change.action === "none" || change.action === "read") continue;
      const found = check(change, context);
      if (found === undefined) continue;
      if (Symbol.iterator in found) hits.push(...found);
      else hits.push({ change, ...found });
    }
    return hits;
  },
});
