import type { Operation } from "../http/operation.ts";

/** A thing of the cloud with the operations on it: one file each. */
export type ResourceKind = {
  readonly name: string;
  readonly operations: readonly Operation[];
};
