import { expect, test } from "@jest/globals";
import { createServerClock } from "../../provider/client/server-clock.ts";

const noon = Date.parse("2026-05-04T12:00:00Z");
const header = (at: number) => new Date(at).toUTCString();

/** Creates a clock on a machine whose wall clock is a day ahead; `pass` advances both of its clocks. */
function openClock() {
  let monotonic = 5_000;
  const clock = createServerClock({
    monotonic: () => monotonic,
    wall: () => noon + 86_400_000 + monotonic,
    sleep: () => Promise.resolve(),
  });
  const pass = (ms: number) => {
    monotonic += ms;
  };
  return { clock, pass };
}

test("the time is that of the last Date header and the time since then", () => {
  const { clock, pass } = openClock();
  clock.learn(header(noon));
  pass(1_500);
  expect([clock.known(), clock.time()]).toEqual([noon + 1_500, noon + 1_500]);
  clock.learn(header(noon + 60_000));
  expect(clock.time()).toBe(noon + 60_000);
  expect(clock.time(6_000)).toBe(noon + 59_500);
});

test("before the first Date header the time is that of the machine, and is not known to be that of the API", () => {
  const { clock, pass } = openClock();
  for (const date of [undefined, "", "yesterday"]) clock.learn(date);
  pass(1_000);
  expect([clock.known(), clock.time(), clock.time(5_500)]).toEqual([
    undefined,
    noon + 86_406_000,
    noon + 86_405_500,
  ]);
});

test.each([
  [0, true],
  [119_999, true],
  [120_000, false],
  [-3_600_000, true],
  [-3_600_001, false],
])("an object that was created %d ms ago is new: %s", (age, isNew) => {
  const { clock } = openClock();
  clock.learn(header(noon));
  expect(clock.ageOf(noon - age) < 120_000).toBe(isNew);
});
