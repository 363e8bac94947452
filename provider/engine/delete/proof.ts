import { matchesMasked } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import { equal, type Value, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { isListedWithoutId } from "../create/create.ts";
import type { Operation } from "../operation.ts";
import { isRecorded } from "../recorded.ts";
import { ever } from "../shared-listing.ts";
import {
  type Address,
  isOnlyListed,
  isProvenAbsent,
  isShownElsewhere,
  isUnsettled,
  listIfAuthoritative,
  listingKey,
  missesBeforeGone,
  readCurrent,
  statusOf,
  unprovenMs,
  word,
} from "../state/state.ts";
import { failureOf, type Poll, unchangedMs, waitFor } from "../wait/wait.ts";

/**
 * Proof that an object is gone after a delete (docs/reliability.md#3.9). The answer to the requests of the delete decides
 * which absence of the object counts:
 *
 * - `accepted`: the first miss of a read, if no other route shows the object.
 * - `lost`: as `accepted` if a listing decides; otherwise several misses, with the evidence that a read needs.
 * - `missing`: as `lost`, but not before `settle_seconds` after the create. The same holds for `lost` if only listings show
 *   the object and its delete, which takes a one-time password, was sent only once.
 */

/**
 * Best answer to the requests of a delete. `accepted`: one returned a 2xx. `lost`: one had an ambiguous response, so the
 * delete may have been executed. `missing`: each returned a 404 or was not sent.
 */
export type Answer = "accepted" | "lost" | "missing";

/** Returns the answer after another attempt. */
export const betterAnswer = (answer: Answer, latest: Answer): Answer =>
  latest === "missing" || answer === "accepted" ? answer : latest;

/**
 * Returns true if a miss after an ambiguous response ends the attempts. Returns false for an object that is new or that
 * only listings show: these may not show it yet. A request with a one-time password is not repeated, so for it a listing
 * decides in any case.
 */
export function readsDecide(operation: Operation, state: ResourceState, isGuarded: boolean): boolean {
  const { resource } = operation;
  const isShownLate = isOnlyListed(resource) || isUnsettled(operation, state);
  const isShown = resource.visibleThrough === undefined && resource.notReadable === undefined;
  return isShown && (isGuarded || !isShownLate);
}

/** Returns true for an object that only listings show and whose delete takes a one-time password. */
export const isSentOnce = (resource: Resource): boolean =>
  isOnlyListed(resource) && resource.otpDelete !== undefined;

/**
 * Returns true if a 404 response to a delete ends the attempts: at once if reads can show the object, otherwise
 * `settle_seconds` after the first 404, which a gateway may have sent.
 *
 * @param since monotonic time in ms of the first 404
 * @param mayRemain true if no request is known to have deleted the object: unattached, as after the first request of its delete,
 *   it may then exist without being visible
 */
export function isLastingMiss(
  { resource, session }: Operation,
  { values }: ResourceState,
  since: number,
  mayRemain: boolean,
): boolean {
  const { notReadable, visibleThrough } = resource;
  const isRecordedDetached = (values[visibleThrough ?? ""] ?? null) === null;
  const isHidden = visibleThrough !== undefined && (isRecordedDetached || mayRemain);
  if (notReadable === undefined && !isHidden) return true;
  return session.ports.clock.monotonic() - since >= session.settings.settleSeconds * 1000;
}

/** Returns true for a status such as `error_deleting`: the API accepted a delete that then failed. */
export const isFailedDelete = (resource: Resource, seen: Values): boolean =>
  /^(error|fail)\w*[-_]delet/i.test(rawStatus(resource, seen));

/** Returns the status of the object itself, without its progress, which may concern parts that are being deleted. */
export const rawStatus = ({ lifecycle }: Resource, seen: Values): string =>
  word(seen[lifecycle?.field ?? ""]);

/**
 * Waits until the object is proven gone. Returns false if reads show the object ready and unchanged for `unchangedMs`: the
 * delete was not executed and may be sent again. Throws `FailedError` if the delete failed.
 */
export async function waitUntilGone(
  operation: Operation,
  address: Address,
  state: ResourceState,
  answer: Answer,
): Promise<boolean> {
  const { resource, session } = operation;
  const mine = state.values;
  const sent = session.listings.mark();
  let misses = 0;
  let missing: { readonly since: number; readonly last: number } | undefined;
  // A recorded failure can be that of an earlier delete.
  const { clock } = session.ports;
  const failsFrom = isFailedDelete(resource, mine)
    ? clock.monotonic() + session.settings.settleSeconds * 1000
    : 0;
  let unchanged: { readonly seen: Values; readonly since: number } | undefined;
  const isUntouched = (seen: Values): boolean => {
    const isReady = statusOf(resource, seen).at === "ready" && resource.otpDelete === undefined;
    if (!isReady || !isRecorded(resource, seen, mine)) unchanged = undefined;
    else if (unchanged === undefined || !equal(unchanged.seen as Value, seen as Value))
      unchanged = { seen, since: clock.monotonic() };
    return unchanged !== undefined && clock.monotonic() - unchanged.since >= unchangedMs;
  };
  const poll = async (after: number): Promise<Poll<boolean>> => {
    // A delete with a task takes some time: the next shared listing is early enough.
    if (resource.verbs.task && resource.verbs.whole && after === ever) return { still: "accepted" };
    const since = Math.max(after, sent);
    const seen = await readCurrent(operation, address, since, mine);
    if (seen !== undefined && isFailedDelete(resource, seen) && clock.monotonic() >= failsFrom)
      throw failureOf(operation, seen);
    if (seen !== undefined) {
      missing = undefined;
      return isUntouched(seen) ? { done: false } : { still: statusOf(resource, seen).word };
    }
    const rows = await listIfAuthoritative(operation, address, since);
    if (rows?.some(({ id }) => matchesMasked(id, address.id))) return { still: "still listed" };
    // The row may be the object, listed without its id: the next listing decides.
    if (rows !== undefined && isListedWithoutId(resource, rows, mine))
      return { still: "a listing shows an object without an ID, which may be this one" };
    const mayBeLate = answer === "missing" || (answer === "lost" && isSentOnce(resource));
    if (mayBeLate && isUnsettled(operation, state)) return { still: "new, and not listed" };
    if (rows !== undefined) return { done: true };
    if (answer === "accepted")
      return (await isShownElsewhere(operation, address)) ? { still: "still listed" } : { done: true };
    misses += 1;
    const now = clock.monotonic();
    const { since: first, last } = missing ?? { since: now, last: now };
    missing = { since: first + unprovenMs(last, now), last: now };
    const isProven =
      misses >= missesBeforeGone(resource) && (await isProvenAbsent(operation, address, missing.since));
    return isProven ? { done: true } : { still: "the API does not find it" };
  };
  return waitFor(operation, `${resource.name} gone`, poll, listingKey(resource, address));
}
