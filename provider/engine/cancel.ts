import {
  CloudError,
  isAmbiguous,
  isNotFound,
  isStatedFailure,
  isThrottled,
  StopError,
} from "../core/error.ts";
import type { ResourceState } from "../core/state.ts";
import { includesIgnoreCase } from "../core/string.ts";
import type { Values } from "../core/value.ts";
import type { RequestTracker } from "../definition/api.ts";
import type { Poll } from "../definition/function.ts";
import type { Work } from "../definition/resource.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { requireAccount } from "./account.ts";
import { hasShownAnother, noteGone } from "./existence/absence.ts";
import { noteWrite, readCurrent } from "./existence/current.ts";
import type { Operation } from "./operation.ts";
import { remediesForDelete, requestStopped, stepOf } from "./remediation.ts";
import type { Address } from "./state/address.ts";
import { statusText } from "./state/status.ts";
import { waitFor } from "./wait/waiter.ts";

/** Returns true if the values that a read returned show cancelled work. */
export const isCancelled = ({ status, cancelled }: Work<string>, observed: Values): boolean =>
  includesIgnoreCase(cancelled, statusText(observed[status]));

const mayRun = { is: "may still run" } as const;

/** Maximum requests of one cancel: after a 429 the request is sent again if a read shows that the work is not cancelled. */
const mostCancels = 3;

/**
 * Cancels work. An accepted request proves the work cancelled. After an ambiguous response or a 404, reads decide for up
 * to `settleSeconds`. After a rejection, a conflict or a failure stated in a 2xx response, one read decides, as somebody
 * else may have cancelled the work. Only after a 429 is the request sent again, after a read (docs/contract.md#12). Throws
 * `OperationError` if the work may still run.
 */
export async function cancel(operation: Operation, state: ResourceState, address: Address): Promise<void> {
  const { resource } = operation;
  const route = resource.verbs.delete;
  if (typeof route !== "function") return;
  const tracker: RequestTracker = { sent: false };
  const api = operation.api(address.region, tracker);
  const call = { ...address, api, prior: verbInputs(state.values), otp: async () => undefined };
  for (let sent = 1; ; sent++) {
    try {
      await route(call as never).finally(() => noteWrite(operation, address));
      noteGone(operation, address);
      return;
    } catch (error) {
      const isUndecided = isAmbiguous(error) || isNotFound(error);
      const isAwaited = isUndecided && !isStatedFailure(error);
      const seconds = isAwaited ? operation.session.settings.settleSeconds : 0;
      const isRefused =
        error instanceof CloudError && (error.failure === "conflict" || error.failure === "rejected");
      const shown =
        isUndecided || isRefused || isThrottled(error)
          ? await showsCancelled(operation, state, address, seconds)
          : undefined;
      if (shown === true) return;
      if (isThrottled(error) && shown === false && sent < mostCancels) continue;
      const isUnclear = isUndecided || (error instanceof StopError && tracker.sent);
      const step = error instanceof StopError ? requestStopped : stepOf(error);
      throw isUnclear
        ? operation.failed(step, mayRun, ["run-again"], { cause: error })
        : operation.failed(step, { is: "still exists" }, remediesForDelete(resource, error), {
            cause: error,
          });
    }
  }
}

/**
 * Polls until reads show the work cancelled. Returns false if the work is not cancelled after `seconds`, undefined if it
 * cannot be read. A gateway may have sent a 404: a 404 counts once the route has shown another object in this run, or once
 * reads have returned 404 for `settle_seconds`.
 */
async function showsCancelled(
  operation: Operation,
  state: ResourceState,
  address: Address,
  seconds: number,
): Promise<boolean | undefined> {
  const { resource, session } = operation;
  const { work } = resource;
  const { clock } = session.ports;
  const settleMs = session.settings.settleSeconds * 1000;
  const until = clock.monotonic() + seconds * 1000;
  let missingSince: number | undefined;
  const poll = async (after: number): Promise<Poll<boolean>> => {
    const began = clock.monotonic();
    const observed = await readCurrent(operation, address, { after, known: state.values });
    if (observed === undefined) {
      requireAccount(operation, state);
      missingSince ??= began;
      return hasShownAnother(operation, address) || began - missingSince >= settleMs
        ? { done: true }
        : { pending: "the API does not find it" };
    }
    missingSince = undefined;
    if (work === undefined || isCancelled(work, observed)) return { done: true };
    const status = statusText(observed[work.status]) || "still shown";
    return began >= until ? { done: false } : { pending: `no clear response; ${status}` };
  };
  try {
    return await waitFor(operation, `${resource.name} cancelled`, poll);
  } catch (error) {
    if (error instanceof CloudError || error instanceof StopError) return undefined;
    throw error;
  }
}
