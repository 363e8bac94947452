import { memoize } from "../../core/memoize.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { hasShownOnce, type Resource } from "../../definition/resource.ts";

/**
 * How the API shows the objects of a kind, from the options of its definition: what a row, a read and a miss prove. Nothing
 * else in the engine asks for these options.
 */
export interface Visibility {
  /** True if a listing shows all objects of the scope by another request than a read: it decides whether an object exists. */
  readonly isListDecisive: boolean;
  /**
   * True if objects are visible only in listings or in other objects, which may not show a new one yet
   * (docs/reliability.md#3.9).
   */
  readonly isOnlyListed: boolean;
  /** True if a listing shows a new object. */
  readonly isNewListed: boolean;
  /** True if objects are read by a documented route; otherwise a read without a result proves nothing. */
  readonly isReadable: boolean;
  /** Values of a new object that no route reads; empty for other kinds. */
  readonly initialValues: Values;
  /** Field through which alone the API shows an object: without a value, whether the object exists is unknown. */
  readonly shownThrough: string | undefined;
  /** True if only the create response contains a part of the object, such as a secret (docs/reliability.md#3.5). */
  readonly isShownOnce: boolean;
  /** Consecutive misses before an object counts as deleted outside of the engine: more if no listing decides. */
  readonly misses: number;
}

export const visibilityOf = memoize((resource: Resource): Visibility => {
  const { verbs, idField, visibility = {} } = resource;
  const { listedByRead, readByListing, shownThrough, unreadable } = visibility;
  const isListDecisive = verbs.list !== undefined && idField === undefined && listedByRead === undefined;
  return {
    isListDecisive,
    isOnlyListed: readByListing === true || (verbs.read === undefined && listedByRead === undefined),
    isNewListed: verbs.list !== undefined && shownThrough === undefined,
    isReadable: unreadable === undefined,
    initialValues: (unreadable ?? {}) as Values,
    shownThrough,
    isShownOnce: hasShownOnce(resource),
    misses: isListDecisive ? 3 : 5,
  };
});

/** Returns the state of an object that no read shows, if a miss does not prove it gone; otherwise undefined. */
export function stateWhenInvisible(resource: Resource, state: ResourceState): ResourceState | undefined {
  const { shownThrough } = visibilityOf(resource);
  return shownThrough === undefined
    ? undefined
    : { ...state, values: { ...state.values, [shownThrough]: null } };
}
