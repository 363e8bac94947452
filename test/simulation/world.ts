import { setImmediate as turn } from "node:timers/promises";
import { manualStart } from "../../emulator/state/clock.ts";
import type { Clock } from "../../provider/platform/ports.ts";
import type { Draw } from "./draw.ts";

/** Thrown if no event is left and the work has not ended. */
export class DeadlockError extends Error {}
/** Thrown after a number of events by which any work would have ended. */
export class LivelockError extends Error {}
/** Thrown by work of a provider process that was killed. */
export class KilledError extends Error {}

/** Virtual time, which passes only from event to event. Also the clock of the emulator. */
export interface World {
  /** Returns whole milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after this number of further events; immediately for 0. */
  after(events: number, act: () => void): void;
  /** Delays all pending events by `ms`. Monotonic clocks of processes do not advance; wall clocks do. */
  suspend(ms: number): void;
  /** Returns the time in ms without suspensions. */
  awake(): number;
  /** Discards the calls of `after` that are still pending. */
  cancelEvents(): void;
  /** Processes events until the work is settled. Throws `DeadlockError` or `LivelockError` if it does not end. */
  run<T>(work: Promise<T>): Promise<T>;
  /**
   * Creates a process, whose sleeps never end once it is killed. Its wall clock has these offsets in ms, one after the
   * other.
   */
  process(skewsMs: readonly number[]): Process;
}

/** One process of the provider. */
export interface Process {
  readonly clock: Clock;
  alive(): boolean;
  /** Ends the process: its sleeps never end, and `unlessKilled` rejects with a `KilledError`. */
  kill(): void;
  /** Returns the result of the work; rejects if the process is killed before. */
  unlessKilled<T>(work: Promise<T>): Promise<T>;
}

interface Event {
  due: number;
  /** Orders events due at the same time. */
  readonly tie: number;
  readonly wake: () => void;
}

const mostEvents = 200_000;
/** Time in ms for which a wall clock keeps one offset. */
const jumpEveryMs = 120_000;

/** Creates a world; `draw` decides the order of events due at the same time. */
export function createWorld(draw: Draw): World {
  let now = manualStart;
  let passed = 0;
  let slept = 0;
  let acts: { at: number; act: () => void }[] = [];
  /** Pending events; the next one is the last element. */
  const events: Event[] = [];

  function add(event: Event): void {
    const later = (other: Event) =>
      other.due > event.due || (other.due === event.due && other.tie > event.tie);
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (later(events[middle] as Event)) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
  }

  const sleep = (ms: number, signal?: AbortSignal, alive = () => true) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        const at = events.indexOf(event);
        if (at >= 0) events.splice(at, 1);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", abort);
        if (alive()) resolve();
      };
      const event: Event = { due: now + Math.max(0, ms), tie: draw.next(), wake };
      add(event);
      signal?.addEventListener("abort", abort, { once: true });
    });

  function act(): void {
    const due = acts.filter(({ at }) => at <= passed);
    acts = acts.filter(({ at }) => at > passed);
    for (const { act } of due) act();
  }

  return {
    now: () => Math.floor(now),
    sleep,
    after(count, act) {
      if (count === 0) act();
      else acts.push({ at: passed + count, act });
    },
    suspend(ms) {
      now += ms;
      slept += ms;
      for (const event of events) event.due += ms;
    },
    awake: () => now - slept,
    cancelEvents() {
      acts = [];
    },
    async run(work) {
      let settled = false;
      const end = () => {
        settled = true;
      };
      work.then(end, end);
      // One turn of the event loop finishes promise chains of any length (docs/reliability.md#5.4).
      for (const most = passed + mostEvents; ; ) {
        await turn();
        if (settled) return work;
        const event = events.pop();
        if (event === undefined) throw new DeadlockError("no event is left, and the run has not ended");
        if (passed > most) throw new LivelockError(`${mostEvents} events, and the run has not ended`);
        now = Math.max(now, event.due);
        passed += 1;
        event.wake();
        if (acts.length > 0) act();
      }
    },
    process(skewsMs) {
      let alive = true;
      let rejectKilled: (error: KilledError) => void = () => {};
      const killed = new Promise<never>((_, reject) => {
        rejectKilled = reject;
      });
      killed.catch(() => {});
      const began = now - slept;
      return {
        clock: {
          monotonic: () => now - slept - began,
          wall: () => Math.floor(now) + (skewsMs[Math.floor(now / jumpEveryMs) % skewsMs.length] ?? 0),
          sleep: (ms, signal) => sleep(ms, signal, () => alive),
        },
        alive: () => alive,
        kill() {
          alive = false;
          rejectKilled(new KilledError("the plugin did not answer"));
        },
        unlessKilled: (work) => Promise.race([work, killed]),
      };
    },
  };
}
