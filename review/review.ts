import type { RuleContext } from "./custom-rule/api.ts";
import { contextJson } from "./custom-rule/context.ts";
import { decodeContext } from "./custom-rule/sandbox.ts";
import { settingsOf } from "./gate/policy.ts";
import type { Plan as ReadPlan } from "./model/plan.ts";
import { readPlan } from "./read/read.ts";

/**
 * Entry `@kcloud/iac/review`: the functions and types that custom rules import, and a function to test them with. `Report` is
 * the JSON output of `kcloud review`, `Policy` the file `kcloud-review.json`.
 */

export {
  type Change,
  creates,
  type Difference,
  defineRule,
  destroys,
  differencesOf,
  type Hit,
  type Invocation,
  type OutputChange,
  type Plan,
  type Rule,
  type RuleContext,
  SENSITIVE,
  severities,
  UNKNOWN,
  type Value,
  type Values,
} from "./custom-rule/api.ts";
export type { Policy, Profile, Waiver } from "./gate/policy.ts";
export type { Action, Cause, EngineName, Source } from "./model/change.ts";
export type { Message } from "./model/plan.ts";
export { NotReviewableError, UnreadableError } from "./read/read.ts";
export type { Report, ReportChange, ReportFinding } from "./report/report.ts";
export type { Confidence, RuleSettings, Severity } from "./rule/rule.ts";

/**
 * Returns the context that a rule receives for these plans: `rule.check(readContext({ net: text }))`. `texts` maps the names of
 * the inputs to plans in any format that `kcloud review` reads. Throws `UnreadableError` and `NotReviewableError`.
 */
export function readContext(
  texts: Readonly<Record<string, string>>,
  settings: Parameters<typeof settingsOf>[0] = {},
): RuleContext {
  const plans = Object.entries(texts).map(([name, text]): ReadPlan => readPlan(name, text));
  return decodeContext(contextJson(plans, settingsOf(settings)));
}
