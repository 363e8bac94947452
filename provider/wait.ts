import { CloudError, isMissing } from "./errors.ts";
import { ever } from "./listing.ts";
import type { Operation } from "./operation.ts";

/** What one look found: what was waited for, or a word for what still stands in the way. */
export type Look<T> = { readonly done: T } | { readonly still: string };

const first = 250;
const longest = 15_000;
const tolerated = 4;
/** So long before the deadline there is one more look, whatever the pause. */
const lastLook = 1_000;

/**
 * Looks until a look is done (reliability 3.6). The first look is at once; the pauses grow by half and lean on how
 * long this kind took before. A look that fails to reach the cloud is not an answer: five in a row end the wait.
 *
 * @param expects names what is waited for, so that its duration is remembered; `look` gets the mark after
 *   which a listing has to begin to tell it anything new.
 */
export async function waitFor<T>(
  operation: Operation,
  expects: string,
  look: (after: number) => Promise<Look<T>>,
): Promise<T> {
  const { session, signal } = operation;
  const { clock } = session.ports;
  const began = clock.monotonic();
  const typical = session.typical.get(expects);
  let failures = 0;
  let after = ever;
  for (let pause = first; ; pause = nextPause(pause, clock.monotonic() - began, typical)) {
    try {
      const found = await look(after);
      failures = 0;
      if ("done" in found) {
        session.typical.set(expects, remembered(typical, clock.monotonic() - began));
        return found.done;
      }
      operation.report(progress(found.still, clock.monotonic() - began, typical));
    } catch (error) {
      if (!(error instanceof CloudError) || isFinal(error)) throw error;
      failures += 1;
      if (failures > tolerated) throw error;
    }
    after = session.listings.mark();
    const left = operation.deadline - clock.monotonic();
    await clock.sleep(left > lastLook ? Math.min(pause, left - lastLook) : pause, signal);
  }
}

/** An answer that will be the same the next time; what is missing may only be late (contract 1.1). */
const isFinal = (error: CloudError): boolean =>
  error.failure === "auth" || (error.failure === "rejected" && !isMissing(error));

/** Close to the expected end looks come often, far from it seldom; after it they grow apart again. */
function nextPause(pause: number, elapsed: number, typical: number | undefined): number {
  const grown = Math.min(longest, pause * 1.5);
  if (typical === undefined || elapsed >= typical) return grown;
  return Math.min(longest, Math.max(first, (typical - elapsed) / 2));
}

const remembered = (before: number | undefined, now: number): number =>
  before === undefined ? now : (before + now) / 2;

/** `BUILD, 40 s of typically 90 s`. */
function progress(still: string, elapsed: number, typical: number | undefined): string {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return `${still}, ${seconds(elapsed)}${typical === undefined ? "" : ` of typically ${seconds(typical)}`}`;
}
