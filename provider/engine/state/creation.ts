import type { ResourceState } from "../../core/state.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";

/**
 * Returns true if only listings or other objects show objects of this kind, and may not show a new one
 * (docs/reliability.md#3.9).
 */
export const isOnlyListed = ({ verbs, readByListing, listedByRead }: Resource): boolean =>
  readByListing === true || (verbs.read === undefined && listedByRead === undefined);

/** Returns the time to record for an object that was created now; undefined if a read route of its own shows it. */
export const creationTime = ({ resource, session }: Operation): number | undefined =>
  isOnlyListed(resource) ? session.ports.clock.wall() : undefined;

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
 * Returns true until `settle_seconds` after the recorded create: listings that do not show the object prove nothing. A
 * state without a record, and one with a record in the future, is old.
 */
export function isUnsettled(
  { session }: Operation,
  { createdAt = 0 }: Pick<ResourceState, "createdAt">,
): boolean {
  const age = session.ports.clock.wall() - createdAt;
  return age >= 0 && age < session.settings.settleSeconds * 1000;
}
