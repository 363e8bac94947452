import { parseHttpDate } from "../core/time.ts";
import type { Clock } from "../platform/ports.ts";

/**
 * Time of the API, from the `Date` header of its last response. A state records times that a process on another machine
 * compares, and the wall clocks of two machines can differ by hours: recorded times are those of the API.
 */
export interface ServerClock {
  /** Records the `Date` header of a response that has just arrived; ignores a missing or invalid header. */
  learn(date: string | undefined): void;
  /**
   * Returns the time of the API in ms since 1970 at the monotonic time `at` in ms, by default now: early by at most a second
   * and the latency. Undefined before the first response with a `Date` header.
   */
  known(instant?: number): number | undefined;
  /** Returns the same time to record or compare; while it is not known, that of the machine. */
  time(instant?: number): number;
  /**
   * Returns the time in ms since a recorded time; negative for one that is ahead by up to an hour, as it can be that of a
   * machine, and infinity for one that is further ahead.
   */
  ageOf(recorded: number, instant?: number): number;
}

/** Most ms by which the clock of a machine that recorded a time is assumed to be ahead. */
const aheadMs = 3_600_000;

/** Creates the clock, which is unknown until the first response. */
export function createServerClock(clock: Clock): ServerClock {
  let offset: number | undefined;
  /** Last header and its time: all responses of a second have the same one. */
  let last = "";
  let sentAt: number | undefined;
  const known = (instant = clock.monotonic()) =>
    offset === undefined ? undefined : Math.floor(offset + instant);
  const time = (instant = clock.monotonic()) =>
    known(instant) ?? Math.floor(clock.wall() - (clock.monotonic() - instant));
  return {
    learn(date = "") {
      if (date !== last) sentAt = parseHttpDate(date);
      last = date;
      if (sentAt !== undefined) offset = sentAt - clock.monotonic();
    },
    known,
    time,
    ageOf(recorded, instant) {
      const age = time(instant) - recorded;
      return age >= -aheadMs ? age : Number.POSITIVE_INFINITY;
    },
  };
}
