import type { Clock, Random } from "../platform/ports.ts";

/**
 * What a process may ask of the cloud, shared by all its resources: a rate, a number of requests under way, and
 * a store of retries that successes refill (docs/reliability.md#3.8). A refused rate pauses everybody, not one caller.
 */
export interface RateLimiter {
  /** Resolves when a request may leave; call the result when its answer is there. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Spends a retry; false when the store is empty and the failure has to be told. */
  spendRetry(cost: number): boolean;
  succeed(): void;
  /** Nobody sends for so long. */
  pause(ms: number): void;
}

const store = 500;
/**
 * Requests under way at once. The rate protects the API; this only bounds what can hang. A smaller number would cut the
 * rate when responses are slow (docs/reliability.md#3.8).
 */
const concurrent = 32;

/**
 * A budget of `rate` requests per second, on average over any longer time; 0 sets no limit. A burst of two seconds'
 * worth is allowed.
 */
export function createRateLimiter(clock: Clock, rate: number): RateLimiter {
  const burst = Math.max(1, rate * 2);
  let retries = store;
  let allowance = burst;
  let counted = clock.monotonic();
  let pausedUntil = 0;
  /** Who is at its head waits for a place and for the rate, the others for their turn. */
  const line = createLine(1);
  const places = createLine(concurrent);

  /** How long until the next request may leave; takes its place at once when that is now. */
  const reserve = (): number => {
    const now = clock.monotonic();
    if (now < pausedUntil) return Math.ceil(pausedUntil - now);
    if (rate === 0) return 0;
    allowance = Math.min(burst, allowance + ((now - counted) * rate) / 1000);
    counted = now;
    if (allowance >= 1) {
      allowance -= 1;
      return 0;
    }
    // Whole milliseconds: a clock may not be able to tell a smaller part from none.
    return Math.ceil(((1 - allowance) * 1000) / rate);
  };

  return {
    async acquire(signal) {
      await line.enter(signal);
      try {
        await places.enter(signal);
        try {
          for (let ms = reserve(); ms > 0; ms = reserve()) await clock.sleep(ms, signal);
        } catch (error) {
          places.leave();
          throw error;
        }
      } finally {
        line.leave();
      }
      return places.leave;
    },
    spendRetry(cost) {
      if (retries < cost) return false;
      retries -= cost;
      return true;
    },
    succeed() {
      retries = Math.min(store, retries + 1);
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms);
    },
  };
}

/** So many at a time, first come, first served; who gives up leaves the line. */
function createLine(width: number) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async enter(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (inside < width) inside += 1;
      else
        await new Promise<void>((resolve, reject) => {
          const called = () => {
            signal.removeEventListener("abort", gone);
            resolve();
          };
          const gone = () => {
            waiting.splice(waiting.indexOf(called), 1);
            reject(signal.reason);
          };
          signal.addEventListener("abort", gone, { once: true });
          waiting.push(called);
        });
    },
    /** Gives the place to the next in line. */
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    },
  };
}

/** A wait that grows by half, up to a cap, with full jitter on its upper half so that callers spread out. */
export const backoff = (random: Random, attempt: number, first: number, cap: number): number =>
  Math.min(cap, first * 1.5 ** attempt) * (0.5 + random.next() / 2);

/**
 * The pause that the cloud asks for, but no shorter than ours and no longer than five minutes
 * (docs/reliability.md#3.8).
 */
export const pauseFor = (asked = 0, own: number): number => Math.min(300_000, Math.max(own, asked));
