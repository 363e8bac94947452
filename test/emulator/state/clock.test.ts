import { expect, test } from "@jest/globals";
import { isManual, isoTime, lateClock, manualClock, realClock } from "../../../emulator/state/clock.ts";

test("a manual clock advances only on request, and ends sleeps in the order of their times", async () => {
  const clock = manualClock(1000);
  const woken: string[] = [];
  const sleeper = async (name: string, ...naps: number[]) => {
    for (const ms of naps) {
      await clock.sleep(ms);
      woken.push(`${name} ${clock.now()}`);
    }
  };
  const all = Promise.all([sleeper("slow", 30), sleeper("quick", 10, 10, 10), sleeper("late", 1000)]);
  await clock.advance(9);
  expect([woken, clock.now()]).toEqual([[], 1009]);
  await clock.advance(41);
  expect(woken).toEqual(["quick 1010", "quick 1020", "slow 1030", "quick 1030"]);
  expect(clock.now()).toBe(1050);
  await clock.advance(1000);
  await all;
  expect(woken.at(-1)).toBe("late 2000");
});

test("a sleep ends early with its signal's reason", async () => {
  for (const clock of [manualClock(), realClock()]) {
    const leave = new AbortController();
    const sleep = clock.sleep(3_600_000, leave.signal);
    leave.abort(new Error("given up"));
    await expect(sleep).rejects.toThrow(isManual(clock) ? "given up" : "The operation was aborted");
    await expect(clock.sleep(1, leave.signal)).rejects.toThrow();
  }
});

test("the real clock is that of the machine", async () => {
  const clock = realClock();
  const before = clock.now();
  await clock.sleep(0);
  expect(clock.now()).toBeGreaterThanOrEqual(before);
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});

test("a late clock catches up with that of the machine, and does not pass it", async () => {
  const clock = lateClock(1_000_000);
  const behind = () => Math.round((Date.now() - clock.now()) / 100_000);
  expect(behind()).toBe(10);
  await clock.catchUp(300_000);
  expect(behind()).toBe(7);
  await clock.catchUp(9_000_000);
  expect(behind()).toBe(0);
  expect(isManual(clock)).toBe(false);
});
