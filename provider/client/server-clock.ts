import { parseHttpDate } from "../core/time.ts";
import type { Clock } from "../platform/ports.ts";

/** Clock of the API, from the `Date` header of its last response. */
export interface ServerClock {
  /** Records the `Date` header of a response that has just arrived; ignores a missing or invalid header. */
  learn(date: string | undefined): void;
  /** Returns the time in ms since 1970, early by at most a second and the latency; undefined if it is not known. */
  now(): number | undefined;
}

/** Creates the clock, which is unknown until the first response. */
export function createServerClock(clock: Clock): ServerClock {
  let offset: number | undefined;
  /** Last header and its time: all responses of a second have the same one. */
  let last = "";
  let at: number | undefined;
  return {
    learn(date = "") {
      if (date !== last) at = parseHttpDate(date);
      last = date;
      if (at !== undefined) offset = at - clock.monotonic();
    },
    now: () => (offset === undefined ? undefined : offset + clock.monotonic()),
  };
}
