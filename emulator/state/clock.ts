import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";

/** Source of time. This file is the only one in the emulator that uses `Date` or timers. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds of this clock; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export type ManualClock = Clock & {
  /** Advances the time and ends the sleeps that expire, in order; resolves when their continuations have run. */
  advance(ms: number): Promise<void>;
};

/** Clock of the machine. */
export function realClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
  };
}

/** Calls a function every `ms` milliseconds until it returns true. The wait does not keep the process running. */
export function repeatUntil(ms: number, isDone: () => boolean): void {
  const timer = setInterval(() => {
    if (isDone()) clearInterval(timer);
  }, ms);
  timer.unref();
}

/** 2026-01-01T00:00:00Z, the default start of a manual clock. */
export const manualStart = 1_767_225_600_000;

/** Clock of the machine that is behind; `catchUp` reduces the difference, down to none. */
export type LateClock = Clock & { catchUp(ms: number): Promise<void> };

/** Creates a clock that is behind that of the machine by `behindMs`. */
export function lateClock(behindMs: number): LateClock {
  const real = realClock();
  let behind = behindMs;
  return {
    now: () => real.now() - behind,
    sleep: real.sleep,
    async catchUp(ms) {
      behind = Math.max(0, behind - ms);
    },
  };
}

type Sleeper = { wakesAt: number; wake: () => void };

/** Creates a clock that changes only through `advance`. */
export function manualClock(start = manualStart): ManualClock {
  let now = start;
  let sleepers: Sleeper[] = [];

  function nextSleeper(until: number): Sleeper | undefined {
    const due = sleepers.filter((sleeper) => sleeper.wakesAt <= until);
    return due.reduce<Sleeper | undefined>(
      (first, sleeper) => (first === undefined || sleeper.wakesAt < first.wakesAt ? sleeper : first),
      undefined,
    );
  }

  return {
    now: () => now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const abort = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        const sleeper: Sleeper = { wakesAt: now + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener("abort", abort, { once: true });
      });
    },
    async advance(ms) {
      const until = now + ms;
      await turn();
      for (let sleeper = nextSleeper(until); sleeper !== undefined; sleeper = nextSleeper(until)) {
        now = Math.max(now, sleeper.wakesAt);
        const woken = sleeper;
        sleepers = sleepers.filter((other) => other !== woken);
        woken.wake();
        await turn();
      }
      now = until;
    },
  };
}

export function isManual(clock: Clock): clock is ManualClock {
  return "advance" in clock;
}

/** Formats a time for the `Date` header. */
export const httpTime = (ms: number): string => new Date(ms).toUTCString();

/** Formats a time as ISO 8601. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the milliseconds of a time in ISO 8601. */
export const parseTime = (text: string): number => Date.parse(text);
