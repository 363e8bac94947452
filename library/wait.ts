import type { Client } from "../provider/client/client.ts";
import { FailedError, isNotFound, StopError } from "../provider/core/error.ts";
import type { Api } from "../provider/definition/api.ts";
import { withApi } from "./call.ts";
import type { WaitOptions } from "./option.ts";

/** Waits for the status of an object: reads it until it is ready. */

/** Result of a read: the awaited value, the present status, or no object. `isNear` shortens the pause before the next read. */
export type Read<T> =
  | { readonly done: T }
  | { readonly pending: string; readonly isNear?: boolean }
  | "missing";

/** Wait for an object. */
interface Wait<T> {
  readonly region: string;
  /** Object in errors: `the volume krn:…`. */
  readonly what: string;
  /** End of the sentence on an object that no read shows. Default: "is not found". */
  readonly missing?: string;
  /** Reads the object. Throws `FailedError` for one that has failed. A 404 counts as "missing". */
  readonly read: (api: Api, signal: AbortSignal) => Promise<Read<T>>;
}

const standardMs = 600_000;
const pauses = { first: 1_000, longest: 15_000, growth: 1.5 };

/**
 * Reads an object until it is ready. An object that is not found may not be visible yet (docs/contract.md#17.1): the wait goes on for the
 * setting `settleSeconds`. Throws `FailedError` for an object that has failed, is not found or is not ready in time, or the reason of the
 * signal.
 */
export async function waitFor<T>(
  client: Client,
  { region, what, missing = "is not found", read }: Wait<T>,
  { signal, timeoutMs = standardMs }: WaitOptions = {},
): Promise<T> {
  const { clock, random } = client.ports;
  const began = clock.monotonic();
  let last = "not read yet";
  try {
    return await withApi(
      client,
      region,
      { signal, timeoutMs },
      async (api, limit) => {
        for (let pause = pauses.first; ; pause = Math.min(pause * pauses.growth, pauses.longest)) {
          const found = await readOnce(api, limit, read);
          if (found !== "missing" && "done" in found) return found.done;
          last = found === "missing" ? "not found" : found.pending;
          const isLost = clock.monotonic() - began >= client.settings.settleSeconds * 1000;
          if (found === "missing" && isLost) throw new FailedError(`${what} ${missing}`);
          const isNear = found !== "missing" && found.isNear;
          await clock.sleep((isNear ? pauses.first : pause) * (0.75 + random.next() / 2), limit);
        }
      },
      what,
    );
  } catch (error) {
    if (!(error instanceof StopError) || error.why !== "deadline") throw error;
    throw new FailedError(`${what} is not ready after ${timeoutMs / 1000} s; last status: ${last}`, {
      mayRecover: true,
    });
  }
}

async function readOnce<R>(
  api: Api,
  signal: AbortSignal,
  read: (api: Api, signal: AbortSignal) => Promise<R>,
): Promise<R | "missing"> {
  try {
    return await read(api, signal);
  } catch (error) {
    if (isNotFound(error)) return "missing";
    throw error;
  }
}

/** Consecutive reads without an object after which it counts as deleted: a single one may be that of a listing that lags. */
const misses = 3;

/** Waits until an object is no longer found in consecutive reads. Throws as `waitFor` does. */
export function waitUntilGone(
  client: Client,
  {
    read,
    ...wait
  }: Omit<Wait<never>, "read"> & {
    readonly read: (api: Api, signal: AbortSignal) => Promise<{ readonly pending: string } | "missing">;
  },
  options?: WaitOptions,
): Promise<void> {
  let missing = 0;
  return waitFor<void>(
    client,
    {
      ...wait,
      async read(api, signal) {
        const found = await readOnce(api, signal, read);
        missing = found === "missing" ? missing + 1 : 0;
        if (missing >= misses) return { done: undefined };
        return found === "missing" ? { pending: "no longer found", isNear: true } : found;
      },
    },
    options,
  );
}
