import type { Action, Cause, EngineName, Source } from "../model/change.ts";
import type { Message, Invocation as PlanInvocation } from "../model/plan.ts";
import type { Confidence, RuleSettings, Severity } from "../rule/rule.ts";

/**
 * Module `@kcloud/iac/review` as a custom rule imports it: types of the plans as plain data, and functions over them. Must not
 * import any values, because its text is evaluated in the context of the rules.
 */

/** Value that is known only after the apply. */
export const UNKNOWN: unique symbol = Symbol("unknown");
/** Sensitive value; rules have no access to it. */
export const SENSITIVE: unique symbol = Symbol("sensitive");

/** Value of an object. */
export type Value =
  | null
  | boolean
  | number
  | string
  | typeof UNKNOWN
  | typeof SENSITIVE
  | readonly Value[]
  | Values;

/** Values by the names of the definition, such as `sizeGb`; for other providers, by those of the engine. */
export interface Values {
  readonly [name: string]: Value;
}

/** Changed value of an object. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly before: Value;
  readonly after: Value;
  /** True if the change forces the replacement of the object. */
  readonly forcesReplacement: boolean;
}

/** Planned effect on one object, the same for every engine. */
export interface Change {
  /** Name of the input. */
  readonly plan: string;
  readonly engine: EngineName;
  /** Terraform address, or for Pulumi the URN after its project: `kcloud:index:Volume::data`. */
  readonly address: string;
  /** Type as the engine writes it. */
  readonly type: string;
  /** Kind of the object, such as `volume`; the type for objects of other providers. */
  readonly kind: string;
  readonly action: Action;
  readonly order?: "create first" | "delete first";
  readonly cause?: Cause;
  readonly name?: string;
  readonly id?: string;
  /** Undefined if the object does not exist at that time. */
  readonly before?: Values;
  readonly after?: Values;
  readonly differences: readonly Difference[];
  /** Addresses of the objects that refer to an object that the plan destroys; empty for others. */
  readonly dependents: readonly string[];
  readonly dependsOn: readonly string[];
  readonly parents: readonly string[];
  readonly previousAddress?: string;
  readonly importedId?: string;
  readonly isDeposed?: true;
  readonly isProtected?: true;
  readonly source?: Source;
}

/** Planned effect on an output of a stack. */
export interface OutputChange {
  readonly name: string;
  readonly action: "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
}

/** Side effect of a plan that belongs to no object. */
export type Invocation = Omit<PlanInvocation, "values" | "action">;

/** One plan of one stack. */
export interface Plan {
  readonly name: string;
  readonly engine: EngineName;
  readonly engineVersion?: string;
  readonly purpose: "change" | "drift";
  readonly drift: readonly Change[];
  readonly outputs: readonly OutputChange[];
  readonly invocations: readonly Invocation[];
  readonly messages: readonly Message[];
}

/** Everything that a rule may read; frozen. */
export interface RuleContext {
  readonly plans: readonly Plan[];
  /** Objects of all plans, including unchanged ones. */
  readonly changes: readonly Change[];
  readonly settings: RuleSettings;
}

/** One place where a rule applies. */
export interface Hit {
  /** Object that the hit is about, one of `context.changes`; undefined for a hit about the plan. */
  readonly change?: Change;
  /** Name of the plan, for a hit without an object. */
  readonly plan?: string;
  /** Path of the value that the hit is about. */
  readonly path?: readonly (string | number)[];
  /** One or two sentences: the danger, with the values that make it one. */
  readonly text: string;
  /** Severity, confidence and remedy of this hit. Default: those of the rule. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly remedy?: string;
}

/** A rule of a policy. */
export interface Rule {
  /** Capital letters, digits and hyphens, as in `ACME-01`. Must never change, because waivers name it. */
  readonly id: string;
  /** The danger in a few words, as a heading. */
  readonly title: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Sentences on when the rule applies and why it matters, for `kcloud review explain`. */
  readonly about: string;
  /** Instruction that avoids the danger. */
  readonly remedy: string;
  /** Returns the places where the rule applies. */
  readonly check: (context: RuleContext) => Iterable<Hit>;
}

/** Severities, the worst first. */
export const severities: readonly Severity[] = ["critical", "high", "medium", "low"];

/** Returns the rule; an editor checks its types. */
export const defineRule = (rule: Rule): Rule => rule;

/** Returns the values that a change sets or changes. */
export const differencesOf = ({ differences }: Change): readonly Difference[] => differences;

/** Returns true if the change destroys the existing object. */
export const destroys = ({ action }: Change): boolean => action === "delete" || action === "replace";

/** Returns true if an object is created. */
export const creates = ({ action }: Change): boolean => action === "create" || action === "replace";
