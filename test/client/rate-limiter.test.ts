import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { manualClock } from "../../emulator/emulator.ts";
import { backoff, createRateLimiter } from "../../provider/client/rate-limiter.ts";
import type { Clock } from "../../provider/platform/ports.ts";

const never = new AbortController().signal;

function world() {
  const manual = manualClock();
  const began = manual.now();
  const clock: Clock = {
    monotonic: () => manual.now() - began,
    wall: () => manual.now(),
    sleep: (ms, signal) => manual.sleep(ms, signal),
  };
  return { manual, clock };
}

/** Returns the times in ms at which `count` requests pass the rate limiter, if each takes `ms`. */
async function departures(rate: number, count: number, ms = 0): Promise<number[]> {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, rate);
  const left: number[] = [];
  const all = Array.from({ length: count }, async () => {
    const leave = await rateLimiter.acquire(never);
    left.push(clock.monotonic());
    if (ms > 0) await clock.sleep(ms);
    leave();
  });
  const done = Promise.all(all);
  while (left.length < count) await manual.advance(1_000);
  await manual.advance(ms);
  await done;
  return left;
}

test("the rate limit holds over many requests, after a burst of two seconds", async () => {
  const left = await departures(10, 300);
  expect(left.filter((at) => at === 0)).toHaveLength(20);
  for (const second of [1, 5, 10, 20])
    expect(left.filter((at) => at <= second * 1_000).length).toBeLessThanOrEqual(20 + 10 * second);
  expect(left.at(-1)).toBeLessThanOrEqual(28_500);
});

test("a request after the burst waits only until its token is available", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 10);
  for (let sent = 0; sent < 20; sent++) await rateLimiter.acquire(never);
  await manual.advance(50);
  let left: number | undefined;
  const entered = rateLimiter.acquire(never).then(() => {
    left = clock.monotonic();
  });
  await manual.advance(50);
  expect(left).toBe(100);
  await entered;
});

test("for any rate, no window has more requests than the burst and the rate allow, and all are sent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 150 }),
      async (rate, count) => {
        const left = await departures(rate, count);
        const burst = Math.max(1, rate * 2);
        const state = left.every((from, first) =>
          left.slice(first).every((to, more) => more + 1 <= burst + ((to - from) * rate) / 1000 + 0.001),
        );
        expect([rate, count, state, left.length]).toEqual([rate, count, true, count]);
      },
    ),
    { numRuns: 30 },
  );
});

test("requests are sent in the order of arrival", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 10);
  const left: number[] = [];
  const enter = async (number: number) => {
    const leave = await rateLimiter.acquire(never);
    left.push(number);
    await clock.sleep(30);
    leave();
  };
  const all = Array.from({ length: 60 }, async (_, number) => {
    await clock.sleep(number * 10);
    await enter(number);
  });
  const done = Promise.all(all);
  while (left.length < 60) await manual.advance(100);
  await manual.advance(30);
  await done;
  expect(left).toEqual(Array.from({ length: 60 }, (_, number) => number));
});

test("a rate of 0 means no limit", async () => {
  expect(await departures(0, 500)).toEqual(Array.from({ length: 500 }, () => 0));
});

test("at most 32 requests are in flight at the same time", async () => {
  const left = await departures(0, 100, 1_000);
  expect(left.filter((at) => at === 0)).toHaveLength(32);
  expect(left.filter((at) => at === 1_000)).toHaveLength(32);
  expect(left.at(-1)).toBe(3_000);
});

test("a pause stops all requests until it ends, and a shorter one does not shorten it", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 0);
  rateLimiter.pause(5_000);
  rateLimiter.pause(1_000);
  let left: number | undefined;
  const entered = rateLimiter.acquire(never).then(() => {
    left = clock.monotonic();
  });
  await manual.advance(4_999);
  expect(left).toBeUndefined();
  await manual.advance(1);
  await entered;
  expect(left).toBe(5_000);
});

test("a caller that stops waiting leaves the queue to the next one", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 0);
  const leaves = await Promise.all(Array.from({ length: 32 }, () => rateLimiter.acquire(never)));
  const stop = new AbortController();
  const first = rateLimiter.acquire(stop.signal);
  const second = rateLimiter.acquire(never);
  stop.abort(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");
  leaves[0]?.();
  await manual.advance(0);
  expect(typeof (await second)).toBe("function");
});

test("a caller that is stopped while the bucket is empty releases its place", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 1);
  rateLimiter.pause(60_000);
  const stop = new AbortController();
  const stopped = Array.from({ length: 40 }, () => rateLimiter.acquire(stop.signal));
  stop.abort(new Error("stopped"));
  for (const entered of await Promise.allSettled(stopped)) expect(entered.status).toBe("rejected");
  const entered = rateLimiter.acquire(never);
  await manual.advance(60_000);
  expect(typeof (await entered)).toBe("function");
});

test("a caller with an aborted signal is not queued", async () => {
  const { clock } = world();
  await expect(createRateLimiter(clock, 0).acquire(AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
    "stopped",
  );
});

test("retries use up the retry budget, and successes refill it", () => {
  const rateLimiter = createRateLimiter(world().clock, 0);
  const spent = Array.from({ length: 101 }, () => rateLimiter.spendRetry(5));
  expect(spent.filter(Boolean)).toHaveLength(100);
  expect(rateLimiter.spendRetry(5)).toBe(false);
  for (let count = 0; count < 5; count++) rateLimiter.succeed();
  expect([rateLimiter.spendRetry(5), rateLimiter.spendRetry(5)]).toEqual([true, false]);
});

test("a backoff grows by half, stays below its maximum and above half of its value", () => {
  const draw = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(draw, fc.nat(50), (next, attempt) => {
      const ms = backoff({ next: () => next }, attempt, 500, 8_000);
      const whole = Math.min(8_000, 500 * 1.5 ** attempt);
      return ms >= whole / 2 && ms <= whole;
    }),
  );
});
