import type { ResourceState, UnconfirmedChange } from "../../core/state.ts";
import { hasGivenId, type Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import type { Owned } from "../session.ts";
import { type Address, addressKey } from "./address.ts";

/**
 * Returns true if only listings or other objects show objects of this kind, and may not show a new one
 * (docs/reliability.md#3.9).
 */
export const isOnlyListed = ({ verbs, readByListing, listedByRead }: Resource): boolean =>
  readByListing === true || (verbs.read === undefined && listedByRead === undefined);

/**
 * Records that a create of this run made the object now. Returns the time for its state; undefined if no absence counts
 * for its kind.
 */
export function recordCreation(operation: Operation, address: Address): number | undefined {
  const { resource, session } = operation;
  const createdAt = resource.notReadable === undefined ? session.ports.clock.wall() : undefined;
  noteOwned(operation, address, { isAdopted: false, createdAt });
  return createdAt;
}

/**
 * Returns true until `settle_seconds` after the object was created by this process or, according to its state, by an
 * earlier one, and after this process changed it by a request that must not be sent twice.
 */
export function isRecent(operation: Operation, id: string): boolean {
  const { session, createdAt } = operation;
  const made = session.sentOnce.get(id)?.at ?? session.createdAt.get(id);
  if (made === undefined) return isUnsettled(operation, { createdAt });
  return session.ports.clock.monotonic() - made < session.settings.settleSeconds * 1000;
}

/**
 * Returns true until `settle_seconds` after the recorded create: that the object is not found proves nothing, as listings
 * may not show it yet, and a 404 of its own read route may be that of a gateway. A state without a record, and one with a
 * record in the future, is old.
 */
export function isUnsettled(
  { session }: Operation,
  { createdAt = 0 }: Pick<ResourceState, "createdAt">,
): boolean {
  const age = session.ports.clock.wall() - createdAt;
  return age >= 0 && age < session.settings.settleSeconds * 1000;
}

/**
 * Returns the time to record after an update: that of a change which must not be sent twice, where only listings show its
 * effect, and otherwise that of the create.
 */
export function changeTime(
  { resource, session }: Operation,
  id: string,
  { createdAt }: Pick<ResourceState, "createdAt">,
): number | undefined {
  const { clock } = session.ports;
  const sent = session.sentOnce.get(id);
  if (sent === undefined || !isOnlyListed(resource)) return createdAt;
  return clock.wall() - (clock.monotonic() - sent.at);
}

/**
 * Returns the change of this run that a failed operation records, as only listings can show that it was executed. Without
 * one, returns the change that the state had recorded.
 */
export function unconfirmedChange(
  { resource, session }: Operation,
  id: string,
  recorded?: UnconfirmedChange,
): UnconfirmedChange | undefined {
  const { clock } = session.ports;
  const sent = session.sentOnce.get(id);
  if (sent === undefined || !isOnlyListed(resource) || resource.notReadable !== undefined) return recorded;
  return { sentAt: clock.wall() - (clock.monotonic() - sent.at), values: sent.values };
}

/** Records that a create of this run made or adopted the object. */
export function noteOwned({ resource, session }: Operation, address: Address, owned: Owned): void {
  session.owned.set(addressKey(resource, address), owned);
}

/** Returns true if a create of this run made or adopted the object. */
export const isOwned = ({ resource, session }: Operation, address: Address): boolean =>
  session.owned.has(addressKey(resource, address));

/**
 * Returns how a create of this run got the object, if that was for another resource than the one with this state. An id
 * that a parent or the user determines, as that of a bucket policy, may belong to a later object than the recorded one;
 * the recorded time of the create tells them apart.
 */
export function ownedByAnother(
  { resource, session }: Operation,
  address: Address,
  { createdAt }: Pick<ResourceState, "createdAt">,
): Owned | undefined {
  const owned = session.owned.get(addressKey(resource, address));
  if (owned === undefined || owned.isAdopted) return owned;
  return hasGivenId(resource) && owned.createdAt !== createdAt ? owned : undefined;
}
