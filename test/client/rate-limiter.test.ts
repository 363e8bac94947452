import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { manualClock } from "../../emulator/emulator.ts";
import { backoff, createRateLimiter } from "../../provider/client/rate-limiter.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Clock } from "../../provider/platform/ports.ts";
import { type Cloud, live, openCloud, resource } from "../support/cloud.ts";

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
async function passTimes(rate: number, count: number, ms = 0): Promise<number[]> {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, rate);
  const passed: number[] = [];
  const all = Array.from({ length: count }, async () => {
    const release = await rateLimiter.acquire(never);
    passed.push(clock.monotonic());
    if (ms > 0) await clock.sleep(ms);
    release();
  });
  const done = Promise.all(all);
  while (passed.length < count) await manual.advance(1_000);
  await manual.advance(ms);
  await done;
  return passed;
}

test("the rate limit holds over many requests, after a burst of two seconds", async () => {
  const passed = await passTimes(10, 300);
  expect(passed.filter((at) => at === 0)).toHaveLength(20);
  for (const second of [1, 5, 10, 20])
    expect(passed.filter((at) => at <= second * 1_000).length).toBeLessThanOrEqual(20 + 10 * second);
  expect(passed.at(-1)).toBeLessThanOrEqual(28_500);
});

test("a request after the burst waits only until its token is available", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 10);
  for (let sent = 0; sent < 20; sent++) await rateLimiter.acquire(never);
  await manual.advance(50);
  let passed: number | undefined;
  const acquired = rateLimiter.acquire(never).then(() => {
    passed = clock.monotonic();
  });
  await manual.advance(50);
  expect(passed).toBe(100);
  await acquired;
});

test("for any rate, no window has more requests than the burst and the rate allow, and all are sent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 150 }),
      async (rate, count) => {
        const passed = await passTimes(rate, count);
        const burst = Math.max(1, rate * 2);
        const isWithin = passed.every((from, first) =>
          passed.slice(first).every((to, more) => more + 1 <= burst + ((to - from) * rate) / 1000 + 0.001),
        );
        expect([rate, count, isWithin, passed.length]).toEqual([rate, count, true, count]);
      },
    ),
    { numRuns: 30 },
  );
});

test("requests are sent in the order of arrival", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 10);
  const passed: number[] = [];
  const send = async (number: number) => {
    const release = await rateLimiter.acquire(never);
    passed.push(number);
    await clock.sleep(30);
    release();
  };
  const all = Array.from({ length: 60 }, async (_, number) => {
    await clock.sleep(number * 10);
    await send(number);
  });
  const done = Promise.all(all);
  while (passed.length < 60) await manual.advance(100);
  await manual.advance(30);
  await done;
  expect(passed).toEqual(Array.from({ length: 60 }, (_, number) => number));
});

test("a rate of 0 means no limit", async () => {
  expect(await passTimes(0, 500)).toEqual(Array.from({ length: 500 }, () => 0));
});

test("at most 32 requests are in flight at the same time", async () => {
  const passed = await passTimes(0, 100, 1_000);
  expect(passed.filter((at) => at === 0)).toHaveLength(32);
  expect(passed.filter((at) => at === 1_000)).toHaveLength(32);
  expect(passed.at(-1)).toBe(3_000);
});

test("a pause stops all requests until it ends, and a shorter one does not shorten it", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 0);
  rateLimiter.pause(5_000);
  rateLimiter.pause(1_000);
  let passed: number | undefined;
  const acquired = rateLimiter.acquire(never).then(() => {
    passed = clock.monotonic();
  });
  await manual.advance(4_999);
  expect(passed).toBeUndefined();
  await manual.advance(1);
  await acquired;
  expect(passed).toBe(5_000);
});

test("a caller that stops waiting is removed from the queue", async () => {
  const { manual, clock } = world();
  const rateLimiter = createRateLimiter(clock, 0);
  const releases = await Promise.all(Array.from({ length: 32 }, () => rateLimiter.acquire(never)));
  const stop = new AbortController();
  const first = rateLimiter.acquire(stop.signal);
  const second = rateLimiter.acquire(never);
  stop.abort(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");
  releases[0]?.();
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
  for (const acquired of await Promise.allSettled(stopped)) expect(acquired.status).toBe("rejected");
  const acquired = rateLimiter.acquire(never);
  await manual.advance(60_000);
  expect(typeof (await acquired)).toBe("function");
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

const data = (vpcId: string, name: string) => ({ vpcId, name, sizeGb: 1, volumeType: "HNSS" });

/** Creates, reads and deletes `count` volumes concurrently; returns the time of each request in ms. */
async function runLifecycles(cloud: Cloud, count: number): Promise<number[]> {
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const names = Array.from({ length: count }, (_, index) => `data-${index}`);
  const volume = resource("volume");
  const made = await cloud.run(
    Promise.all(names.map((name) => cloud.create("volume", data(String(vpc.id), name)))),
  );
  const read = await cloud.run(
    Promise.all(made.map((state) => engine.read(cloud.session, volume, state, cloud.call))),
  );
  expect(read.map((state) => state?.id)).toEqual(made.map(({ id }) => id));
  await cloud.run(Promise.all(made.map((state) => engine.delete(cloud.session, volume, state, cloud.call))));
  expect(live(cloud, "volume")).toEqual([]);
  return cloud.emulator.log.entries().map(({ at }) => Date.parse(at));
}

test("an API that is stricter than the setting slows down all requests without failures", async () => {
  const cloud = openCloud({ rateLimit: 5 }, { maxRequestsPerSecond: 0 });
  await runLifecycles(cloud, 20);
  const refused = cloud.emulator.log.entries().filter(({ outcome }) => outcome === 429);
  expect(refused.length).toBeGreaterThan(0);
});
