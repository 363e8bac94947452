import { CloudError, isNotFound } from "../../core/error.ts";
import { inAllWords, type Text, wording } from "../../core/wording.ts";
import type { Poll } from "../../definition/function.ts";
import { onAbort } from "../../platform/abort.ts";
import type { Work } from "../operation.ts";
import type { Session } from "../session.ts";
import { ever } from "../shared-listing.ts";

const first = 250;
const longest = 15_000;
const tolerated = 4;
/** Time in ms before the deadline at which the last poll starts, regardless of the pause. */
const lastPollMs = 1_000;

/** Returns true if no other poll will follow. */
export const isLastPoll = ({ session, deadline }: Work): boolean =>
  deadline - session.ports.clock.monotonic() <= lastPollMs;

/**
 * Polls until a poll is done (docs/reliability.md#3.6). The first poll is immediate; the pauses grow with the elapsed
 * time and follow the usual duration of this kind of wait, if known. A poll that fails with an API error gives no
 * result: five in a row end the wait, a final error ends it at once.
 *
 * @param expects name of the awaited event; its duration is recorded under this name
 * @param poll called with the mark after which a listing must begin to be newer than the previous poll
 * @param scope scope of the shared listing, if one decides: each new listing of the scope wakes all its waiters, which poll
 *   and compute their pause again
 */
export async function waitFor<T>(
  operation: Work,
  expects: string,
  poll: (after: number) => Promise<Poll<T>>,
  scope?: string,
): Promise<T> {
  const { clock } = operation.session.ports;
  const { listings, typicalDurations: typical } = operation.session;
  const began = clock.monotonic();
  const usual = typical.get(expects);
  let failures = 0;
  let after = ever;
  let still = "";
  for (let isScheduled = true; ; ) {
    try {
      const found = await poll(after);
      failures = 0;
      if ("done" in found) {
        typical.set(expects, averaged(usual, clock.monotonic() - began));
        return found.done;
      }
      // A waiter that was woken by the listing of another one reports only a changed status.
      const status = inAllWords(found.pending);
      if (isScheduled || status !== still)
        operation.report(progress(found.pending, clock.monotonic() - began, usual));
      still = status;
    } catch (error) {
      if (!(error instanceof CloudError) || isFinal(error)) throw error;
      failures += 1;
      if (failures > tolerated) throw error;
    }
    after = listings.mark();
    const alone = nextPause(clock.monotonic() - began, usual);
    const pause = scope === undefined ? alone : amongOthers(operation.session, scope, alone);
    const left = operation.deadline - clock.monotonic();
    const shortened = left > lastPollMs ? Math.min(pause, left - lastPollMs) : pause;
    isScheduled = await sleep(operation, shortened, scope, after);
  }
}

/** Abort reason of a sleep that a listing ended. Without a reason each abort would create an error object. */
const woken = Symbol("woken");

/**
 * Sleeps for `ms`, or until a listing of the scope that began after the mark is complete. Returns true after the full time,
 * false after a listing. Throws the signal's reason if the operation stops.
 */
async function sleep(
  { session, signal }: Work,
  ms: number,
  scope: string | undefined,
  after: number,
): Promise<boolean> {
  const { clock } = session.ports;
  if (scope === undefined) {
    await clock.sleep(ms, signal);
    return true;
  }
  const nap = new AbortController();
  const unlink = onAbort(signal, (reason) => nap.abort(reason));
  const unwatch = session.listings.watch(scope, after, () => nap.abort(woken));
  try {
    await clock.sleep(ms, nap.signal);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  } finally {
    unwatch();
    unlink();
  }
}

/**
 * Returns true for an error that the next poll would repeat. A 404 is not final: the object may appear late
 * (docs/contract.md#1.1).
 */
const isFinal = (error: CloudError): boolean =>
  error.failure === "auth" || (error.failure === "rejected" && !isNotFound(error));

/**
 * Returns the pause in ms: short near the expected end of the wait, longer before it, and growing after it. It depends
 * on the elapsed time and not on the number of polls, since listings of other waiters cause polls too.
 */
function nextPause(elapsed: number, usual = 0): number {
  const pause = elapsed < usual ? (usual - elapsed) / 2 : first + (elapsed - usual) / 2;
  return Math.min(longest, Math.max(first, pause));
}

/** Fraction of the allowed rate that the polls of one shared listing may use. */
const share = 1 / 4;

/**
 * Returns the pause in ms of a waiter on a shared listing. Shorter pauses cost more listings, longer pauses cost the time of
 * all waiters: the sum is smallest if the pause shrinks with the square root of the number of waiters.
 */
function amongOthers({ listings, settings }: Session, scope: string, alone: number): number {
  const others = listings.waiting(scope);
  const rate = settings.maxRequestsPerSecond * share;
  // A single waiter may poll a listing of one page as often as a single object.
  const counted = others === 0 ? listings.pages(scope) - 1 : listings.pages(scope);
  const affordable = rate === 0 ? first : Math.max(first, (1_000 * counted) / rate);
  return Math.min(longest, Math.max(alone / Math.sqrt(1 + others), affordable, listings.took(scope)));
}

const averaged = (before: number | undefined, now: number): number =>
  before === undefined ? now : (before + now) / 2;

/** `BUILD, 40 s of typically 90 s`. */
function progress(pending: Text, elapsed: number, usual: number | undefined): Text {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return wording`${pending}, ${seconds(elapsed)}${usual === undefined ? "" : ` of typically ${seconds(usual)}`}`;
}
