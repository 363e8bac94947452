import type { Operation } from "./operation.ts";

/** Resource kind of the cloud with its operations; one file each. */
export type ResourceKind = {
  readonly name: string;
  readonly operations: readonly Operation[];
};
