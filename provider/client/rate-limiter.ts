import { onAbort } from "../platform/abort.ts";
import type { Clock, Random } from "../platform/ports.ts";

/**
 * Limits of the requests of a process, shared by all its resources: a rate, a number of requests in flight, and a retry
 * budget that successes refill (docs/reliability.md#3.8). A 429 does not reduce the budget; it pauses all callers.
 */
export interface RateLimiter {
  /** Resolves when a request may be sent, with a function to call after the response. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Takes the cost of a retry from the budget. Returns false if the budget is too small: the failure is then final. */
  spendRetry(cost: number): boolean;
  succeed(): void;
  /** Delays all requests for `ms` milliseconds. */
  pause(ms: number): void;
}

const retryBudget = 500;
/**
 * Maximum requests in flight. The rate protects the API; this limit only bounds the number of requests without a response.
 * A smaller number would reduce the rate when responses are slow (docs/reliability.md#3.8).
 */
const concurrent = 32;

/**
 * Creates a limiter of `rate` requests per second on average; 0 sets no rate limit. Allows a burst of two seconds'
 * worth of requests.
 */
export function createRateLimiter(clock: Clock, rate: number): RateLimiter {
  const burst = Math.max(1, rate * 2);
  let retries = retryBudget;
  let allowance = burst;
  let counted = clock.monotonic();
  let pausedUntil = 0;
  /** Queue of callers: the first one waits for a slot and for the rate, the others for their turn. */
  const queue = createSemaphore(1);
  const slots = createSemaphore(concurrent);

  /** Returns the time in ms until the next request may be sent; counts the request if the time is 0. */
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
    // Rounded up to whole milliseconds: a clock may treat a fraction of one as 0.
    return Math.ceil(((1 - allowance) * 1000) / rate);
  };

  return {
    async acquire(signal) {
      await queue.enter(signal);
      try {
        await slots.enter(signal);
        try {
          for (let ms = reserve(); ms > 0; ms = reserve()) await clock.sleep(ms, signal);
        } catch (error) {
          slots.leave();
          throw error;
        }
      } finally {
        queue.leave();
      }
      return slots.leave;
    },
    spendRetry(cost) {
      if (retries < cost) return false;
      retries -= cost;
      return true;
    },
    succeed() {
      retries = Math.min(retryBudget, retries + 1);
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms);
    },
  };
}

/** Creates a semaphore with `width` slots, assigned in order of arrival. An aborted caller leaves the queue. */
function createSemaphore(width: number) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async enter(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (inside < width) inside += 1;
      else
        await new Promise<void>((resolve, reject) => {
          const called = () => {
            unlink();
            resolve();
          };
          const unlink = onAbort(signal, (reason) => {
            waiting.splice(waiting.indexOf(called), 1);
            reject(reason);
          });
          waiting.push(called);
        });
    },
    /** Passes the slot to the next caller in the queue, or frees it. */
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    },
  };
}

/** Returns a pause in ms that grows by half per attempt, up to `cap`, with jitter in its upper half. */
export const backoff = (random: Random, attempt: number, first: number, cap: number): number =>
  Math.min(cap, first * 1.5 ** attempt) * (0.5 + random.next() / 2);

/**
 * Returns the pause in ms that the API demands, but at least `least` and at most five minutes (docs/reliability.md#3.8).
 */
export const pauseFor = (requested = 0, least: number): number =>
  Math.min(300_000, Math.max(least, requested));
