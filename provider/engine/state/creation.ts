import { plainId } from "../../core/krn.ts";
import type { ResourceState, UnconfirmedChange } from "../../core/state.ts";
import { parseZonedTime } from "../../core/time.ts";
import { hasGivenId, type Resource } from "../../definition/resource.ts";
import type { Timing } from "../../definition/verb.ts";
import type { Operation } from "../operation.ts";
import type { Owned, Session } from "../session.ts";
import { type Address, addressKey } from "./address.ts";

/**
 * Returns true if objects of this kind are visible only in listings or in other objects, which may not show a new object
 * yet (docs/reliability.md#3.9).
 */
export const isOnlyListed = ({ verbs, readByListing, listedByRead }: Resource): boolean =>
  readByListing === true || (verbs.read === undefined && listedByRead === undefined);

/**
 * Records that a create of this run has just made the object. Returns the time for its state, in ms since 1970; undefined
 * for a kind that no route reads, for which absence proves nothing, unless the time distinguishes it from a later object of
 * its id.
 */
export function recordCreation(operation: Operation, address: Address): number | undefined {
  const { resource, session } = operation;
  const isTimed = resource.notReadable === undefined || hasGivenId(resource);
  const createdAt = isTimed ? session.serverClock.time() : undefined;
  noteOwned(operation, address, { isAdopted: false, createdAt });
  return createdAt;
}

/**
 * Returns true until `settle_seconds` after this process last changed the object by a request that must not be sent twice
 * or, without such a change, after the create of this process or the create that the state records.
 *
 * @param at monotonic time in ms at which the read began whose response is judged
 */
export function isRecent(operation: Operation, id: string, at: number): boolean {
  const { session, createdAt } = operation;
  const requestTime = timeHere(session, id);
  if (requestTime === undefined) return isUnsettled(operation, { createdAt }, at);
  return at - requestTime < session.settings.settleSeconds * 1000;
}

/** Returns the functions that judge the response of a request that begins now, which can be the first one with the time of the API. */
export function timingOf(operation: Operation, id: string): Timing {
  const { session, createdAt: recorded } = operation;
  const began = session.ports.clock.monotonic();
  return {
    isRecent: () => isRecent(operation, id, began),
    isLater(text) {
      const requestTime = timeHere(session, id);
      const since = requestTime === undefined ? recorded : session.serverClock.time(requestTime);
      const createdAt = text === undefined ? undefined : parseZonedTime(text);
      if (since === undefined || createdAt === undefined) return undefined;
      return createdAt > since + session.settings.settleSeconds * 1000;
    },
  };
}

/** Returns the monotonic time in ms of the last create, or change that must not be sent twice, of this process. */
const timeHere = ({ sentOnce, createdAt }: Session, id: string): number | undefined =>
  sentOnce.get(plainId(id))?.at ?? createdAt.get(plainId(id));

/**
 * Returns true until `settle_seconds` after the recorded create. Until then a miss proves nothing: listings may not show
 * the object yet, and a gateway may have sent the 404 of a read. Returns false for a state without a recorded time.
 *
 * @param at monotonic time in ms at which the read began. Call this function after its response: before the first one, the
 *   time of the API is not known
 */
export const isUnsettled = (
  { session: { serverClock, settings } }: Operation,
  { createdAt }: Pick<ResourceState, "createdAt">,
  at?: number,
): boolean => createdAt !== undefined && serverClock.isWithin(createdAt, settings.settleSeconds * 1000, at);

/**
 * Returns the time to record after an update, in ms since 1970: that of a change that must not be sent twice if only
 * listings show its effect, otherwise that of the create.
 */
export function changeTime(
  { resource, session }: Operation,
  id: string,
  { createdAt }: Pick<ResourceState, "createdAt">,
): number | undefined {
  const sent = session.sentOnce.get(plainId(id));
  return sent === undefined || !isOnlyListed(resource) ? createdAt : session.serverClock.time(sent.at);
}

/**
 * Returns the unconfirmed change to record after a failed operation: that of this run if only listings can show its effect,
 * otherwise the one that the state records already.
 */
export function unconfirmedChange(
  { resource, session }: Operation,
  id: string,
  recorded?: UnconfirmedChange,
): UnconfirmedChange | undefined {
  const sent = session.sentOnce.get(plainId(id));
  if (sent === undefined || !isOnlyListed(resource) || resource.notReadable !== undefined) return recorded;
  const { at, ...change } = sent;
  return { sentAt: session.serverClock.time(at), ...change };
}

/**
 * Returns true until `settle_seconds` after the request of an unconfirmed change: a listing may not show its effect yet.
 *
 * @param began monotonic time in ms at which the read began whose response is judged
 */
export const mayBeUnlisted = (
  { session: { serverClock, settings } }: Operation,
  { sentAt }: UnconfirmedChange,
  began: number,
): boolean => serverClock.isWithin(sentAt, settings.settleSeconds * 1000, began);

/** Records that a create of this run made or adopted the object. */
export function noteOwned({ resource, session }: Operation, address: Address, owned: Owned): void {
  session.owned.set(addressKey(resource, address), owned);
}

/** Returns true if a create of this run made or adopted the object. */
export const isOwned = ({ resource, session }: Operation, address: Address): boolean =>
  session.owned.has(addressKey(resource, address));

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
  const owned = session.owned.get(addressKey(resource, address));
  if (owned === undefined || owned.isAdopted) return owned;
  return hasGivenId(resource) && owned.createdAt !== createdAt ? owned : undefined;
}
