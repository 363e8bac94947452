import type { Plan } from "../../../../review/model/plan.ts";
import type { RuleSettings, Severity } from "../../../../review/rule/rule.ts";

/** Case of a rule: plans, and the findings that the rule must report for them. */
export interface RuleCase {
  readonly rule: string;
  readonly name: string;
  readonly plans: readonly Plan[];
  readonly settings?: Partial<RuleSettings>;
  /** Expected findings in order: a part of the text, and the severity if it differs from that of the rule. Empty if none. */
  readonly finds: readonly (
    | string
    | { readonly severity?: Severity; readonly confidence?: string; readonly text: string }
  )[];
}
