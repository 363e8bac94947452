import { CloudError, isNotFound } from "../../core/error.ts";
import type { Work } from "../operation.ts";
import type { Session } from "../session.ts";
import { ever } from "../shared-listing.ts";

/** What one look found: what was waited for, or a word for what still stands in the way. */
export type Poll<T> = { readonly done: T } | { readonly still: string };

const first = 250;
const longest = 15_000;
const tolerated = 4;
/** So long before the deadline there is one more look, whatever the pause. */
const lastLook = 1_000;

/** Whether no other look will follow. */
export const isLastPoll = ({ session, deadline }: Work): boolean =>
  deadline - session.ports.clock.monotonic() <= lastLook;

/**
 * Looks until a look is done (docs/reliability.md#3.6). The first look is at once; the pauses grow by half and lean on
 * how long this kind took before. A look that fails to reach the cloud is not an answer: five in a row end the wait.
 *
 * @param expects names what is waited for, so that its duration is remembered; `look` gets the mark after
 *   which a listing has to begin to tell it anything new.
 * @param scope of the listing that decides, where one does: whoever asks for it, all who wait for something in it
 *   look and pause anew.
 */
export async function waitFor<T>(
  operation: Work,
  expects: string,
  look: (after: number) => Promise<Poll<T>>,
  scope?: string,
): Promise<T> {
  const { clock } = operation.session.ports;
  const { listings, typicalDurations: typical } = operation.session;
  const began = clock.monotonic();
  const usual = typical.get(expects);
  let failures = 0;
  let after = ever;
  let still = "";
  for (let due = true; ; ) {
    try {
      const found = await look(after);
      failures = 0;
      if ("done" in found) {
        typical.set(expects, remembered(usual, clock.monotonic() - began));
        return found.done;
      }
      // Who is woken by each listing of others tells news alone.
      if (due || found.still !== still)
        operation.report(progress(found.still, clock.monotonic() - began, usual));
      still = found.still;
    } catch (error) {
      if (!(error instanceof CloudError) || isFinal(error)) throw error;
      failures += 1;
      if (failures > tolerated) throw error;
    }
    after = listings.mark();
    const alone = nextPause(clock.monotonic() - began, usual);
    const pause = scope === undefined ? alone : amongOthers(operation.session, scope, alone);
    const left = operation.deadline - clock.monotonic();
    due = await sleep(operation, left > lastLook ? Math.min(pause, left - lastLook) : pause, scope, after);
  }
}

/** Why a sleep ended early; without one, each end would make an error of its own. */
const woken = Symbol("woken");

/** Sleeps, at most until a listing of the scope has come that tells anything new; whether it slept to the end. */
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
  const stop = () => nap.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const unwatch = session.listings.watch(scope, after, () => nap.abort(woken));
  try {
    await clock.sleep(ms, nap.signal);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  } finally {
    unwatch();
    signal.removeEventListener("abort", stop);
  }
}

/** An answer that will be the same the next time; what is missing may only be late (docs/contract.md#1.1). */
const isFinal = (error: CloudError): boolean =>
  error.failure === "auth" || (error.failure === "rejected" && !isNotFound(error));

/**
 * Close to the expected end looks come often, far from it seldom; after it they grow apart again. Told by time and
 * not by looks, since a look at what others asked for is none of one's own.
 */
function nextPause(elapsed: number, usual = 0): number {
  const pause = elapsed < usual ? (usual - elapsed) / 2 : first + (elapsed - usual) / 2;
  return Math.min(longest, Math.max(first, pause));
}

/** Part of the allowed rate that looking for many may take. */
const share = 1 / 4;

/**
 * One listing serves all who wait in its scope: what it costs grows with how often it is asked for, what it spares
 * them with how many they are, and the sum is least where the pause shrinks by the square root of their number.
 */
function amongOthers({ listings, settings }: Session, scope: string, alone: number): number {
  const others = listings.waiting(scope);
  const rate = settings.maxRequestsPerSecond * share;
  // Who waits alone may look at a single page as often as at one object.
  const counted = others === 0 ? listings.pages(scope) - 1 : listings.pages(scope);
  const affordable = rate === 0 ? first : Math.max(first, (1_000 * counted) / rate);
  return Math.min(longest, Math.max(alone / Math.sqrt(1 + others), affordable, listings.took(scope)));
}

const remembered = (before: number | undefined, now: number): number =>
  before === undefined ? now : (before + now) / 2;

/** `BUILD, 40 s of typically 90 s`. */
function progress(still: string, elapsed: number, usual: number | undefined): string {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return `${still}, ${seconds(elapsed)}${usual === undefined ? "" : ` of typically ${seconds(usual)}`}`;
}
