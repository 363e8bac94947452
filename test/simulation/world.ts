import { setImmediate as turn } from "node:timers/promises";
import { manualStart } from "../../emulator/state/clock.ts";
import type { Clock } from "../../provider/platform/ports.ts";
import type { Draw } from "./draw.ts";

/** Nothing is left to happen, and the work has not ended. */
export class DeadlockError extends Error {}
/** So much happened that the work will never end. */
export class LivelockError extends Error {}
/** The process of the provider is gone. */
export class DiedError extends Error {}

/** Time that passes from event to event and not in between. Serves the emulator as its clock. */
export interface World {
  /** Whole milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does it when so many more events have come to pass; at once for none. */
  after(events: number, act: () => void): void;
  /** Everything that waits sleeps so much longer, and no clock of a process tells. */
  suspend(ms: number): void;
  /** Milliseconds that were not slept away. */
  awake(): number;
  /** Forgets what `after` has not done yet. */
  calm(): void;
  /** Lets events come to pass until the work is settled. */
  run<T>(work: Promise<T>): Promise<T>;
  /** A process whose clock stands still for ever once it is killed; its wall clock is off by these, one by one. */
  process(skewsMs: readonly number[]): Process;
}

/** One life of the provider. */
export interface Process {
  readonly clock: Clock;
  alive(): boolean;
  /** Whatever it waits for never comes, and who waits for it gets a `DiedError`. */
  kill(): void;
  /** The work's result, unless the process dies first. */
  unlessKilled<T>(work: Promise<T>): Promise<T>;
}

interface Event {
  due: number;
  /** Orders what is due at the same moment. */
  readonly tie: number;
  readonly wake: () => void;
}

const mostEvents = 200_000;
/** How long a wall clock stays off by the same. */
const jumpEveryMs = 120_000;

/** A world at its beginning; `draw` decides what comes first of what is due at once. */
export function createWorld(draw: Draw): World {
  let now = manualStart;
  let passed = 0;
  let slept = 0;
  let acts: { at: number; act: () => void }[] = [];
  /** The next one last. */
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
    calm() {
      acts = [];
    },
    async run(work) {
      let settled = false;
      const end = () => {
        settled = true;
      };
      work.then(end, end);
      // One turn of the real loop lets promise chains of any length finish (docs/reliability.md#5.4).
      for (const most = passed + mostEvents; ; ) {
        await turn();
        if (settled) return work;
        const event = events.pop();
        if (event === undefined)
          throw new DeadlockError("nothing is left to happen, and the run has not ended");
        if (passed > most) throw new LivelockError(`${mostEvents} events, and the run has not ended`);
        now = Math.max(now, event.due);
        passed += 1;
        event.wake();
        if (acts.length > 0) act();
      }
    },
    process(skewsMs) {
      let alive = true;
      let died: (error: DiedError) => void = () => {};
      const death = new Promise<never>((_, reject) => {
        died = reject;
      });
      death.catch(() => {});
      const born = now - slept;
      return {
        clock: {
          monotonic: () => now - slept - born,
          wall: () => Math.floor(now) + (skewsMs[Math.floor(now / jumpEveryMs) % skewsMs.length] ?? 0),
          sleep: (ms, signal) => sleep(ms, signal, () => alive),
        },
        alive: () => alive,
        kill() {
          alive = false;
          died(new DiedError("the plugin did not answer"));
        },
        unlessKilled: (work) => Promise.race([work, death]),
      };
    },
  };
}
