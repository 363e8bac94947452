import type { Path, Value } from "../../provider/core/value.ts";
import type { Text } from "../../provider/core/wording.ts";
import type { Change } from "../model/change.ts";
import type { DriftState } from "../model/drift.ts";
import type { Rehearsed } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { Published } from "../model/published.ts";
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
  /** True if every plan with changes must have a rehearsal. */
  readonly requireRehearsal: boolean;
}

/** Everything that a rule may read. */
export interface RuleContext {
  readonly plans: readonly Plan[];
  /** Planned changes of all plans; drift is in `plans`. */
  readonly changes: readonly Change[];
  readonly relations: Relations;
  readonly settings: RuleSettings;
  /** Values of the plans that are not marked and contain a sensitive one. */
  readonly published?: readonly Published[];
  /** Rehearsals of the plans. */
  readonly rehearsals?: readonly Rehearsed[];
}

/** One place where a rule applies. */
export interface Hit {
  /** Object that the hit is about; undefined for a hit about the plan. */
  readonly change?: Change;
  /** Name of the plan, for a hit without an object. */
  readonly plan?: string;
  /** For a hit without an object: an address that waivers can name, such as that of an action. Default: the name of the plan. */
  readonly address?: string;
  /** Path of the value that the hit is about. */
  readonly path?: Path;
  /** Configuration of the effect that the hit is about, for a hit without an object: a waiver covers it. */
  readonly values?: Value;
  /** One or two sentences: the danger, with the values that make it one. */
  readonly text: Sentence;
  /** Severity, confidence and remedy of this hit. Default: those of the rule. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly remedy?: Text;
  /** Set for a hit about a change outside the engine: the effect of the plan on it. */
  readonly drift?: DriftState;
}

/** Form of the id of a rule: a family and a number or name. */
export const ruleId = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/;

/** Text and severity of a rule. */
export interface RuleDescription {
  /** Never changes, because waivers name it. */
  readonly id: string;
  /** The danger in a few words, as a heading. */
  readonly title: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Sentences on when the rule applies and why it matters, for `kcloud review explain`. */
  readonly about: Text;
  /** Instruction that avoids the danger. */
  readonly remedy: Text;
}

export interface Rule extends RuleDescription {
  /** Returns the places where the rule applies. Must not change its argument. */
  readonly check: (context: RuleContext) => Iterable<Hit>;
}

/** Places where a rule applies. */
export interface RuleHits {
  readonly rule: RuleDescription;
  readonly hits: readonly Hit[];
}

/** Hits of all rules of a review. */
export interface RuleResults {
  /** Plans that the built-in rules judge: as read, without marks of sensitive values, sorted by name. */
  readonly judged: RuleContext;
  readonly builtIn: readonly RuleHits[];
  /** Hits of the rules of a policy, which see redacted plans only. */
  readonly custom: readonly RuleHits[];
}

/** Defines a rule that checks one changed object at a time. */
export const changeRule = (
  rule: RuleDescription,
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
