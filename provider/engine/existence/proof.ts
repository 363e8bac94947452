import { matchesMasked } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import { equal, type Value, type Values } from "../../core/value.ts";
import type { Poll } from "../../definition/function.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import { isRecorded } from "../recorded.ts";
import { ever } from "../shared-listing.ts";
import type { Address } from "../state/address.ts";
import { statusOf, statusText } from "../state/status.ts";
import { failureOf, unchangedMs } from "../wait/wait.ts";
import { waitFor } from "../wait/waiter.ts";
import { isProvenAbsent, isShownElsewhere, unprovenMs } from "./absence.ts";
import { isYoung, settleMs } from "./age.ts";
import { listIfAuthoritative, listingKey, readCurrent } from "./current.ts";
import { isListedWithoutId } from "./row.ts";
import { visibilityOf } from "./visibility.ts";

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
  const { isOnlyListed, isReadable, shownThrough } = visibilityOf(operation.resource);
  const isShownLate = isOnlyListed || isYoung(operation, state);
  return isReadable && shownThrough === undefined && (isGuarded || !isShownLate);
}

/** Returns true for an object that only listings show and whose delete takes a one-time password. */
export const isSentOnce = (resource: Resource): boolean =>
  visibilityOf(resource).isOnlyListed && resource.otpDelete !== undefined;

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
  const { isReadable, shownThrough } = visibilityOf(resource);
  const isRecordedDetached = shownThrough !== undefined && (values[shownThrough] ?? null) === null;
  const isHidden = shownThrough !== undefined && (isRecordedDetached || mayRemain);
  return (isReadable && !isHidden) || session.ports.clock.monotonic() - since >= settleMs(session);
}

/** Returns true for a status such as `error_deleting`: the API accepted a delete that then failed. */
export const isFailedDelete = (resource: Resource, observed: Values): boolean =>
  /^(error|fail)\w*[-_]delet/i.test(rawStatus(resource, observed));

/** Returns the status of the object itself, without its progress, which may concern parts that are being deleted. */
export const rawStatus = ({ lifecycle }: Resource, observed: Values): string =>
  statusText(observed[lifecycle?.field ?? ""]);

/**
 * Waits until the object is proven gone. Returns false if reads show the object ready and unchanged for `unchangedMs`: the
 * delete was not executed and may be sent again. Throws `FailedError` if the delete failed.
 */
export function waitUntilGone(
  operation: Operation,
  address: Address,
  state: ResourceState,
  answer: Answer,
): Promise<boolean> {
  const { resource, session } = operation;
  const { values: recorded } = state;
  const sent = session.listings.mark();
  const mayBeLate = answer === "missing" || (answer === "lost" && isSentOnce(resource));
  const { shown, missed } = evidenceOf(operation, address, recorded, answer);
  const poll = async (after: number): Promise<Poll<boolean>> => {
    // A delete with a task takes some time: the next shared listing is early enough.
    if (resource.verbs.task && resource.verbs.whole && after === ever) return { pending: "accepted" };
    const mark = Math.max(after, sent);
    const observed = await readCurrent(operation, address, { after: mark, known: recorded });
    if (observed !== undefined) return shown(observed);
    const rows = await listIfAuthoritative(operation, address, mark);
    if (rows?.some(({ id }) => matchesMasked(id, address.id))) return { pending: "still listed" };
    // The row may be the object, listed without its id: the next listing decides.
    if (rows !== undefined && isListedWithoutId(resource, rows, recorded))
      return { pending: "a listing shows an object without an ID, which may be this one" };
    if (mayBeLate && isYoung(operation, state)) return { pending: "new, and not listed" };
    return rows === undefined ? missed() : { done: true };
  };
  return waitFor(operation, `${resource.name} gone`, poll, listingKey(resource, address));
}

/** Returns functions that judge the reads of a wait: `shown` those that show the object, `missed` misses that no listing decides. */
function evidenceOf(operation: Operation, address: Address, recorded: Values, answer: Answer) {
  const { resource, session } = operation;
  const { clock } = session.ports;
  // A recorded failure can be that of an earlier delete.
  const failsFrom = isFailedDelete(resource, recorded) ? clock.monotonic() + settleMs(session) : 0;
  const isUntouched = untouchedFor(operation, recorded);
  let misses = 0;
  let missing: { readonly since: number; readonly last: number } | undefined;
  return {
    shown(observed: Values): Poll<boolean> {
      if (isFailedDelete(resource, observed) && clock.monotonic() >= failsFrom)
        throw failureOf(operation, observed);
      missing = undefined;
      return isUntouched(observed) ? { done: false } : { pending: statusOf(resource, observed).text };
    },
    async missed(): Promise<Poll<boolean>> {
      if (answer === "accepted")
        return (await isShownElsewhere(operation, address)) ? { pending: "still listed" } : { done: true };
      misses += 1;
      const now = clock.monotonic();
      const { since, last } = missing ?? { since: now, last: now };
      missing = { since: since + unprovenMs(last, now), last: now };
      const isProven =
        misses >= visibilityOf(resource).misses && (await isProvenAbsent(operation, address, missing.since));
      return isProven ? { done: true } : { pending: "the API does not find it" };
    },
  };
}

/** Returns a function that judges the reads of a wait: true once they have shown the object ready and unchanged for `unchangedMs`. */
function untouchedFor({ resource, session }: Operation, recorded: Values): (observed: Values) => boolean {
  const { clock } = session.ports;
  let unchanged: { readonly observed: Values; readonly since: number } | undefined;
  return (observed) => {
    const isReady = statusOf(resource, observed).at === "ready" && resource.otpDelete === undefined;
    if (!isReady || !isRecorded(resource, observed, recorded)) unchanged = undefined;
    else if (unchanged === undefined || !equal(unchanged.observed as Value, observed as Value))
      unchanged = { observed, since: clock.monotonic() };
    return unchanged !== undefined && clock.monotonic() - unchanged.since >= unchangedMs;
  };
}
