import type { Path } from "../../provider/core/value.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { Relations } from "../model/relation.ts";
import type { Sentence } from "../model/sentence.ts";

/** Rules of the review: pure functions over the plans. */

/** Severity of a finding, the worst first. */
export const severities = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** Confidence of a finding: the plan proves it, it is likely, or it depends on objects in the cloud that no plan shows. */
export type Confidence = "proven" | "likely" | "needs a live check";

/** Settings of rules, from the policy. */
export interface RuleSettings {
  /** Tags that every object with tags must have. */
  readonly requiredTags: readonly string[];
  /** Number of deletes in a plan above which OPS-07 applies. */
  readonly manyDeletes: number;
  /** Share of deleted objects of a plan above which OPS-07 applies, from 0 to 1. */
  readonly manyDeletesShare: number;
  /** Sources of providers that may serve the types of this package, in addition to its own. */
  readonly providers: readonly string[];
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
  /** Object that the hit is about; undefined for a hit about the plan. */
  readonly change?: Change;
  /** Name of the plan, for a hit without an object. */
  readonly plan?: string;
  /** Path of the value that the hit is about. */
  readonly path?: Path;
  /** One or two sentences: the danger, with the values that make it one. */
  readonly text: Sentence;
  /** Severity, confidence and remedy of this hit. Default: those of the rule. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly remedy?: string;
}

/** Form of the id of a rule: a family and a number or name. */
export const ruleId = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/;

/** Rule. Its id never changes, because waivers name it. */
export interface Rule {
  readonly id: string;
  /** The danger in a few words, as a heading. */
  readonly title: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Sentences on when the rule applies and why it matters, for `kcloud review explain`. */
  readonly about: string;
  /** Instruction that avoids the danger. */
  readonly remedy: string;
  /** Returns the places where the rule applies. Must not change its argument. */
  readonly check: (context: RuleContext) => Iterable<Hit>;
}

/** Defines a rule that checks one changed object at a time. */
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
