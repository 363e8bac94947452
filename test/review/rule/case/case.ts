import type { Change } from "../../../../review/model/change.ts";
import type { Rehearsed } from "../../../../review/model/outcome.ts";
import type { Plan } from "../../../../review/model/plan.ts";
import type { RuleSettings, Severity } from "../../../../review/rule/rule.ts";
import { planOf } from "../../change-of.ts";

/** Case of a rule: plans, and the findings that the rule must report for them. */
export interface RuleCase {
  readonly rule: string;
  readonly name: string;
  readonly plans: readonly Plan[];
  readonly settings?: Partial<RuleSettings>;
  readonly rehearsals?: readonly Rehearsed[];
  /** Expected findings in order: a part of the text, and the severity if it differs from that of the rule. Empty if none. */
  readonly finds: readonly Finding[];
}

type Finding = string | { readonly severity?: Severity; readonly confidence?: string; readonly text: string };

/** Name of a case, its plan or the changes of the plan, the findings, and settings other than the defaults. */
type Row = readonly [
  name: string,
  reviewed: Change | readonly Change[] | Plan,
  finds: Finding | readonly Finding[],
  settings?: Partial<RuleSettings>,
];

/** Returns the cases of one rule. */
export const casesOf = (rule: string, rows: readonly Row[]): RuleCase[] =>
  rows.map(([name, reviewed, finds, settings]) => ({
    rule,
    name,
    plans: ["changes" in reviewed ? reviewed : planOf([reviewed].flat())],
    finds: [finds].flat(),
    ...(settings && { settings }),
  }));
