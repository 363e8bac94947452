import { expect, test } from "@jest/globals";
import { timelineOf } from "../../../review/render/timeline.ts";
import type { ReportRehearsal } from "../../../review/report/report.ts";

type TimelineObject = ReportRehearsal["objects"][number];

const base: ReportRehearsal = {
  ...{ plan: "plan", engine: "terraform", engineVersion: "1.16.0", outcome: "applies", untouched: 0 },
  ...{ objects: [], longestPath: [], absent: [], secondPlan: [], assumed: [], unknown: [] },
};

const object = (address: string, more: Partial<TimelineObject> = {}): TimelineObject => ({
  ...{ address, kind: "volume", class: "created", isInterrupted: false, isOnLongestPath: false },
  ...{ assumptions: [], steps: [], ...more },
});

const step = (start: number, end: number, seconds?: number) => ({
  ...({ action: "create", result: "done", start, end } as const),
  ...(seconds === undefined ? {} : { seconds }),
});

const spansIn = (rehearsal: ReportRehearsal) =>
  Object.fromEntries(
    timelineOf(rehearsal).rows.map(({ objects: [first], bars }) => [
      first.address,
      bars.map(({ from, to }) => [from, to]),
    ]),
  );

test("bars are positions from 1 unless every step has a duration", () => {
  const objects = [
    object("a", { steps: [step(0, 2, 10)] }),
    object("b", { steps: [step(1, 3)] }),
    object("c"),
  ];
  expect(spansIn({ ...base, objects })).toEqual({ a: [[1, 3]], b: [[2, 4]], c: [] });
  expect(timelineOf({ ...base, objects })).toMatchObject({ unit: "positions", first: 1, last: 4 });
});

test("a timed step begins at the end of the step that ended last before it", () => {
  const objects = [
    object("a", { steps: [step(0, 2, 100)] }),
    object("b", { steps: [step(1, 3, 1)] }),
    object("c", { steps: [step(4, 5, 7)] }),
  ];
  expect(spansIn({ ...base, objects })).toEqual({ a: [[0, 100]], b: [[0, 1]], c: [[1, 8]] });
  // The longest path shows that the step depends on the slow one.
  expect(spansIn({ ...base, objects, longestPath: ["a", "c"] })).toMatchObject({ c: [[100, 107]] });
  expect(timelineOf({ ...base, objects, longestPath: ["a", "c"] })).toMatchObject({
    ...{ unit: "seconds", first: 0, last: 107 },
  });
});

test("a timed step of an object begins after the earlier step of the object", () => {
  const objects = [
    object("a", { steps: [step(0, 1, 50), step(4, 5, 5)] }),
    object("b", { steps: [step(2, 3, 1)] }),
  ];
  expect(spansIn({ ...base, objects }).a).toEqual([
    [0, 50],
    [51, 56],
  ]);
});

test("10,000 objects have few rows, notable ones one of their own, and every object is in one row", () => {
  const objects = Array.from({ length: 10_000 }, (_, index) =>
    object(`o${index}`, {
      kind: `kind-${index % 7}`,
      steps: [step(2 * index, 2 * index + 1)],
      ...(index === 5_000 ? { class: "failed" as const } : {}),
      ...(index === 6_000 ? { isInterrupted: true } : {}),
      ...(index % 100 === 0 ? { isOnLongestPath: true } : {}),
    }),
  );
  const { rows } = timelineOf({ ...base, objects });
  expect(rows.length).toBe(102 + 7 - 2);
  expect(rows.flatMap((row) => row.objects).length).toBe(10_000);
  expect(new Set(rows.flatMap((row) => row.objects)).size).toBe(10_000);
  const own = rows.filter((row) => row.objects.length === 1).map((row) => row.objects[0].address);
  expect(own).toEqual(expect.arrayContaining(["o5000", "o6000", "o0", "o9900"]));
  const starts = rows.map(({ bars: [bar] }) => bar?.from ?? 0);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test("objects that are all different, or all on the longest path, stay within the limit of rows", () => {
  for (const more of [{ isOnLongestPath: true }, {}] as const) {
    const objects = Array.from({ length: 2_000 }, (_, index) =>
      object(`o${index}`, { ...more, kind: `kind-${index}`, steps: [step(2 * index, 2 * index + 1)] }),
    );
    const { rows } = timelineOf({ ...base, objects });
    expect(rows.length).toBe(301);
    expect(rows.flatMap((row) => row.objects).length).toBe(2_000);
  }
});

test("a row of several objects shows from the first start to the last end, and whether one failed", () => {
  const failed = { ...step(130, 131), result: "failed" as const };
  const objects = [
    ...Array.from({ length: 300 }, (_, index) => object(`f${index}`, { class: "failed", steps: [failed] })),
    ...Array.from({ length: 60 }, (_, index) => object(`o${index}`, { steps: [step(index, index + 9)] })),
  ];
  const { rows } = timelineOf({ ...base, objects });
  const shared = rows.filter((row) => row.objects.length > 1);
  expect(shared.map(({ objects: all, bars }) => [all.length, ...bars])).toEqual([
    [60, { action: undefined, isFailed: false, from: 1, to: 69 }],
    [100, { action: undefined, isFailed: true, from: 131, to: 132 }],
  ]);
});
