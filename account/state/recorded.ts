import type { ResourceState } from "../../provider/core/state.ts";
import type { Resource } from "../../provider/definition/resource.ts";

/** Object of this package's types in a state. */
export interface Recorded {
  /** Address as the review writes it: that of Terraform, or of Pulumi the URN after its project. */
  readonly address: string;
  readonly resource: Resource;
  readonly state: ResourceState;
  /** Addresses of the objects on which this one depends. */
  readonly dependsOn: readonly string[];
  /** Set for the old object of an interrupted replacement. */
  readonly isDeposed?: true;
}

/** State of an engine. */
export interface StateFile {
  readonly engine: "terraform" | "pulumi";
  readonly engineVersion?: string | undefined;
  readonly serial?: number | undefined;
  readonly lineage?: string | undefined;
  readonly objects: readonly Recorded[];
  /** Objects that the state may have and that this version cannot read, each as a clause. */
  readonly gaps: readonly string[];
}

/** Returns true for a state with an id, or with the task of an unfinished create: without both, no read finds the object. */
export const isIdentified = ({ id, task }: ResourceState): boolean => Boolean(id) || task !== undefined;
