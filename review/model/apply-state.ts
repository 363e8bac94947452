import type { Values } from "../../provider/core/value.ts";

/** State after an apply: the objects that exist, the same for every engine. */

export interface StateObject {
  /** Address as the review writes it, without the key of a deposed object. */
  readonly address: string;
  readonly type: string;
  readonly id: string | undefined;
  /** Key of the old object of an interrupted replacement; empty for Pulumi, which has none. */
  readonly deposed: string | undefined;
  /** True if the next apply replaces the object because its create did not finish. */
  readonly isTainted: boolean;
  /** True if the object was deleted and the next apply creates it again. */
  readonly isDeleted: boolean;
  /** Inputs of an object of Pulumi; all values of an object of this provider in Terraform. */
  readonly inputs: Values | undefined;
}

export interface ApplyState {
  readonly engine: "terraform" | "pulumi";
  readonly objects: readonly StateObject[];
  /** Identity of a state file, and the number of its version, which each write increases. */
  readonly lineage: string | undefined;
  readonly serial: number | undefined;
  /** Operations that began and whose results the state does not have, such as "creating". */
  readonly pending: readonly { readonly address: string; readonly operation: string }[];
  /** Sensitive texts, of which no output may have a copy. */
  readonly secrets: ReadonlySet<string>;
  /** Parts that cannot be read, each as a clause. */
  readonly problems: readonly string[];
}
