import { matchesMasked } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import { equal, type Value, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { isListedWithoutId } from "../create/create.ts";
import type { Operation } from "../operation.ts";
import { ever } from "../shared-listing.ts";
import {
  type Address,
  isOnlyListed,
  isProvenAbsent,
  isUnsettled,
  listIfAuthoritative,
  listingKey,
  missesBeforeGone,
  readCurrent,
  statusOf,
  word,
} from "../state/state.ts";
import { failureOf, type Poll, unchangedMs, waitFor } from "../wait/wait.ts";

/**
 * Proof that an object is gone after a delete (docs/reliability.md#3.9). The requests of the delete get one answer, and
 * that answer decides when the absence of the object counts:
 *
 * - `accepted`: at the first read that finds nothing, if a listing that decides does not show the object.
 * - `lost`: as `accepted` where a listing decides; elsewhere after several misses, with the evidence of a read.
 * - `missing`: as `lost`, but not before `settle_seconds` after the create. So is `lost` where only listings show the object
 *   and no second request asked for it, as one with a one-time password.
 */

/**
 * Best answer to the requests of a delete: one was answered 2xx; one had no clear response, so that the delete may be
 * executed; or each was answered 404 or not sent.
 */
export type Answer = "accepted" | "lost" | "missing";

/** Returns the answer after another attempt. */
export const better = (answer: Answer, latest: Answer): Answer =>
  latest === "missing" || answer === "accepted" ? answer : latest;

/**
 * Returns true if a read that finds nothing after a request without a clear response ends the attempts: not where only
 * listings show the object, or where it is new, as they may not show it yet. A request with a one-time password is not
 * repeated, so that for it a listing decides too.
 */
export function readsDecide(operation: Operation, state: ResourceState, isGuarded: boolean): boolean {
  const { resource } = operation;
  const isShownLate = isOnlyListed(resource) || isUnsettled(operation, state);
  const isShown = resource.visibleThrough === undefined && resource.notReadable === undefined;
  return isShown && (isGuarded || !isShownLate);
}

/** Returns true for an object that only listings show, and whose delete takes a one-time password. */
export const isSentOnce = (resource: Resource): boolean =>
  isOnlyListed(resource) && resource.otpDelete !== undefined;

/**
 * Returns true if "not found" as the response to a delete ends the attempts: at once if reads show the object, else
 * `settle_seconds` after the first one, since the 404 may be that of a gateway.
 *
 * @param since monotonic time in ms of the first such response
 * @param isRefused true if no request can have deleted the object: one that is attached to nothing is shown nowhere
 */
export function isLastingMiss(
  { resource, session }: Operation,
  { values }: ResourceState,
  since: number,
  isRefused: boolean,
): boolean {
  const { notReadable, visibleThrough } = resource;
  const isRecordedDetached = (values[visibleThrough ?? ""] ?? null) === null;
  const isHidden = visibleThrough !== undefined && (isRecordedDetached || isRefused);
  if (notReadable === undefined && !isHidden) return true;
  return session.ports.clock.monotonic() - since >= session.settings.settleSeconds * 1000;
}

/** Returns true for a status such as `error_deleting`: the API accepted a delete, which failed. */
export const isFailedDelete = (resource: Resource, seen: Values): boolean =>
  /^(error|fail)\w*[-_]delet/i.test(rawStatus(resource, seen));

/** Returns the status of the object itself. Its progress may name parts of it that are being deleted. */
export const rawStatus = ({ lifecycle }: Resource, seen: Values): string =>
  word(seen[lifecycle?.field ?? ""]);

/**
 * Returns true if the object that a read shows is that of the state, as far as its definition can tell. Somebody else may
 * have created another one of the same name meanwhile.
 */
export const isRecorded = ({ sameBy = [] }: Resource, seen: Values, mine: Values): boolean =>
  sameBy.every((name) => (mine[name] ?? null) !== null && equal(seen[name] ?? null, mine[name] ?? null));

/**
 * Waits until the object is proven gone. Returns false if the object shows ready and unchanged, so that the delete was
 * not executed and may be sent again.
 */
export async function gone(
  operation: Operation,
  address: Address,
  state: ResourceState,
  answer: Answer,
): Promise<boolean> {
  const { resource, session } = operation;
  const mine = state.values;
  const sent = session.listings.mark();
  let misses = 0;
  let missingSince: number | undefined;
  // A failure that is recorded already can be that of an earlier delete.
  const { clock } = session.ports;
  const failsFrom = isFailedDelete(resource, mine)
    ? clock.monotonic() + session.settings.settleSeconds * 1000
    : 0;
  let standing: { readonly seen: Values; readonly since: number } | undefined;
  const isUntouched = (seen: Values): boolean => {
    const isReady = statusOf(resource, seen).at === "ready" && resource.otpDelete === undefined;
    if (!isReady || !isRecorded(resource, seen, mine)) standing = undefined;
    else if (standing === undefined || !equal(standing.seen as Value, seen as Value))
      standing = { seen, since: clock.monotonic() };
    return standing !== undefined && clock.monotonic() - standing.since >= unchangedMs;
  };
  const look = async (after: number): Promise<Poll<boolean>> => {
    // A delete by task takes a while: the next shared listing is soon enough.
    if (resource.verbs.task && resource.verbs.whole && after === ever) return { still: "accepted" };
    const since = Math.max(after, sent);
    const seen = await readCurrent(operation, address, since, mine);
    if (seen !== undefined && isFailedDelete(resource, seen) && clock.monotonic() >= failsFrom)
      throw failureOf(operation, seen);
    if (seen !== undefined) {
      missingSince = undefined;
      return isUntouched(seen) ? { done: false } : { still: statusOf(resource, seen).word };
    }
    const rows = await listIfAuthoritative(operation, address, since);
    if (rows?.some(({ id }) => matchesMasked(id, address.id))) return { still: "still listed" };
    // A response may omit the id of a row: the next listing decides.
    if (rows !== undefined && isListedWithoutId(resource, rows, mine))
      return { still: "a listing shows an object with this name without an ID" };
    const mayBeLate = answer === "missing" || (answer === "lost" && isSentOnce(resource));
    if (mayBeLate && isUnsettled(operation, state)) return { still: "new, and not listed" };
    if (answer === "accepted" || rows !== undefined) return { done: true };
    misses += 1;
    missingSince ??= clock.monotonic();
    const isProven =
      misses >= missesBeforeGone(resource) && (await isProvenAbsent(operation, address, missingSince));
    return isProven ? { done: true } : { still: "the API does not find it" };
  };
  return waitFor(operation, `${resource.name} gone`, look, listingKey(resource, address));
}
