import type { Value } from "../../provider/core/value.ts";
import type { Action } from "../../provider/definition/function.ts";
import type { Change, EngineName } from "./change.ts";

/** Planned effect on an output of a stack. */
export interface OutputChange {
  readonly name: string;
  readonly action: "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  /** Set if the new value looks like a secret and is not marked as one; the reader marks it. */
  readonly looksSecret?: true;
}

/** Side effect of a plan that belongs to no object: an action of a provider, a command, or a read during the apply. */
export interface Invocation {
  readonly address: string;
  readonly type: string;
  /** Address of the object whose change triggers it. */
  readonly triggeredBy?: string;
  /** Its configuration; not in reports, but covered by the approval digest. */
  readonly values?: Value;
  /** Effect of the apply: an action of a provider is invoked, a command runs, or a data source is read. */
  readonly kind: "action" | "command" | "read";
  /** Definition of an action of this provider; undefined for any other. */
  readonly action?: Action;
  /** Set if the input does not hold the whole configuration, as of a command that refers to a value. */
  readonly isPartial?: true;
}

/** Configuration of a provider. */
export interface ProviderUse {
  /** Name in the configuration, with its module and its alias; for Pulumi the address of the provider. */
  readonly name: string;
  /** Source of the provider: `registry.terraform.io/kcloud/kcloud`; for Pulumi the URL of a plugin, or the package. */
  readonly source: string;
  /** Version and settings, not in reports, but covered by the approval digest. */
  readonly values: Value;
  /** Set if the input does not hold all settings. */
  readonly isPartial?: true;
}

/** Message of the engine, a failed check, or a violation of a policy. */
export interface Message {
  readonly level: "error" | "warning" | "info";
  readonly text: string;
  /** Set for a failed check of the configuration, or a violation of a policy of the engine. */
  readonly isCheck?: true;
}

/** One plan of one stack. */
export interface Plan {
  /** Name of the input. */
  readonly name: string;
  readonly engine: EngineName;
  readonly engineVersion?: string;
  /** Folder of the program in the repository, a prefix of the paths of its source lines. */
  readonly root?: string;
  /** "drift" for a plan that only compares the state with the cloud. */
  readonly purpose: "change" | "drift";
  /** Objects of the stack, including unchanged ones. */
  readonly changes: readonly Change[];
  /** Number of unchanged objects that the input counts but does not list. */
  readonly unlisted: number;
  /** Differences between the state and the cloud that the engine found. */
  readonly drift: readonly Change[];
  readonly outputs: readonly OutputChange[];
  readonly invocations: readonly Invocation[];
  readonly providers: readonly ProviderUse[];
  /** Sensitive values of variables and data sources, known to the redaction. */
  readonly sensitive: readonly Value[];
  /** SHA-256 of the configuration of each module, by its path; only of a plan file. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly messages: readonly Message[];
  /** Reasons why the plan does not show every effect of an apply; each is a clause. */
  readonly gaps: readonly string[];
  /** Paths of the parts of the input that this version does not support. */
  readonly unknownParts: readonly string[];
  /** Set if the engine did not compare the state with the cloud. */
  readonly isUnrefreshed?: true;
  /** Identity of the prior state; `serial` and `lineage` only if the input has them. */
  readonly prior: PriorState;
}

/** Returns plans in the order of their names, so that no result depends on the order of the inputs. */
export const sortedPlans = (plans: readonly Plan[]): readonly Plan[] =>
  plans.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Identity of the state that a plan was made from. */
export interface PriorState {
  /** SHA-256 of the objects and values of the prior state, in hex. */
  readonly digest: string;
  readonly serial?: number;
  readonly lineage?: string;
  /** Time at which the plan was made (RFC 3339). */
  readonly plannedAt?: string;
}
