import type { ResourceState } from "../../core/state.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";

/**
 * Returns true if only listings or other objects show objects of this kind, and may not show a new one
 * (docs/reliability.md#3.9).
 */
export const isOnlyListed = ({ verbs, readByListing, listedByRead }: Resource): boolean =>
  readByListing === true || (verbs.read === undefined && listedByRead === undefined);

/** Returns the time to record for an object that was created now; undefined if no absence counts for its kind. */
export const creationTime = ({ resource, session }: Operation): number | undefined =>
  resource.notReadable === undefined ? session.ports.clock.wall() : undefined;

/**
 * Returns true until `settle_seconds` after the object was created by this process or, according to its state, by an
 * earlier one, and after this process changed it by a request that must not be sent twice.
 */
export function isRecent(operation: Operation, id: string): boolean {
  const { session, createdAt } = operation;
  const made = session.changedAt.get(id) ?? session.createdAt.get(id);
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
  const changedAt = session.changedAt.get(id);
  if (changedAt === undefined || !isOnlyListed(resource)) return createdAt;
  return clock.wall() - (clock.monotonic() - changedAt);
}
