import type { ResourceState } from "../../core/state.ts";
import { hasGivenId } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import type { Owned } from "../session.ts";
import { type Address, addressKey } from "../state/address.ts";
import { visibilityOf } from "./visibility.ts";

/** Objects that creates of this process made or adopted: no other resource may adopt or delete them. */

/**
 * Records that a create of this run has just made the object. Returns the time for its state, in ms since 1970; undefined
 * for a kind that no route reads, for which absence proves nothing, unless the time distinguishes it from a later object of
 * its id.
 */
export function recordCreation(operation: Operation, address: Address): number | undefined {
  const { resource, session } = operation;
  const isTimed = visibilityOf(resource).isReadable || hasGivenId(resource);
  const createdAt = isTimed ? session.serverClock.time() : undefined;
  noteOwned(operation, address, { isAdopted: false, createdAt });
  return createdAt;
}

/** Records that a create of this run made or adopted the object. */
export function noteOwned({ resource, session }: Operation, address: Address, owned: Owned): void {
  session.objects.owned.set(addressKey(resource, address), owned);
}

/** Returns true if a create of this run made or adopted the object. */
export const isOwned = ({ resource, session }: Operation, address: Address): boolean =>
  session.objects.owned.has(addressKey(resource, address));

/**
 * Returns the record of a create of this run that made or adopted the object for another resource than the one with this
 * state; otherwise undefined. An id that a parent or the user determines, such as that of a bucket policy, may belong to a
 * later object than the recorded one; the recorded times of their creates differ.
 */
export function ownedByAnother(
  { resource, session }: Operation,
  address: Address,
  { createdAt }: Pick<ResourceState, "createdAt">,
): Owned | undefined {
  const owned = session.objects.owned.get(addressKey(resource, address));
  if (owned === undefined || owned.isAdopted) return owned;
  return hasGivenId(resource) && owned.createdAt !== createdAt ? owned : undefined;
}
