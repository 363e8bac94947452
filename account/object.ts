import type { ResourceState } from "../provider/core/state.ts";
import type { Values } from "../provider/core/value.ts";
import type { Text } from "../provider/core/wording.ts";
import type { Resource } from "../provider/definition/resource.ts";

/** Object of an account. */
export interface AccountObject {
  readonly resource: Resource;
  readonly id: string;
  /** Name for users, or the id of an object without a name. */
  readonly name: string;
  /** Region; undefined or empty for an object of the whole account. */
  readonly region: string | undefined;
  /** Ids of the parents by field name. */
  readonly parents: Values;
  /** Time of its create in ms since 1970; undefined if the listing shows none. */
  readonly createdAt?: number | undefined;
  /** State as after an import. Computed values may be missing, if a configuration does not need them. */
  readonly state: ResourceState;
}

/** Part of an account that the inventory lacks. */
export interface Gap {
  readonly kind: string;
  /** Name of the parent whose listing it concerns, or of the object; undefined for the kind as a whole. */
  readonly scope: string | undefined;
  /** Reason, as a clause without a full stop. */
  readonly reason: Text;
  /**
   * True if objects may exist that the inventory should contain: a listing was refused or is incomplete, or an object could
   * not be read. False for a kind that cannot be listed, and for an object that was deleted in the meantime.
   */
  readonly isIncomplete: boolean;
}
