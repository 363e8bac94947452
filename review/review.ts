/** Entry `@kcloud/iac/review`: the types of custom rules, and the review as a function. */
export type { Action, Cause, Change, EngineName, Source } from "./model/change.ts";
export { creates, destroys } from "./model/change.ts";
export { type Difference, differencesOf } from "./model/difference.ts";
export type { Invocation, Message, OutputChange, Plan, PriorState } from "./model/plan.ts";
export type { Dependents, Relations } from "./model/relation.ts";
export { NotReviewableError, readPlan, UnreadableError } from "./read/read.ts";
export type { Report, ReportChange, ReportFinding } from "./report/report.ts";
export { reportSchema } from "./report/report.ts";
export type { Confidence, Hit, Rule, RuleContext, RuleSettings, Severity } from "./rule/rule.ts";
