import type { ReportRehearsal } from "../report/report.ts";

/** Timeline of a rehearsal: one row per object, or one for several objects that are alike. */

export type TimelineObject = ReportRehearsal["objects"][number];

/** Step from a start to an end, in the unit of the timeline. */
export interface Bar {
  /** Undefined for the steps of several objects. */
  readonly action: TimelineObject["steps"][number]["action"] | undefined;
  readonly isFailed: boolean;
  readonly from: number;
  readonly to: number;
}

export interface TimelineRow {
  readonly objects: readonly [TimelineObject, ...TimelineObject[]];
  /** Empty for objects without a step. */
  readonly bars: readonly Bar[];
}

export interface Timeline {
  /** "seconds" if every step has a duration; else the positions of starts and ends, from 1. */
  readonly unit: "positions" | "seconds";
  readonly first: number;
  readonly last: number;
  /** In the order in which the objects began; those without a step last. */
  readonly rows: readonly TimelineRow[];
}

/** Maximum number of rows of single objects if no objects share a row, and if some do, and of all rows. */
const [mostSingle, mostNotable, mostRows] = [60, 200, 300];

/** Returns the timeline of a rehearsal. Every object of the rehearsal is in one row. */
export function timelineOf(rehearsal: ReportRehearsal): Timeline {
  const { objects } = rehearsal;
  const steps = objects.flatMap((object) => object.steps);
  const isTimed = steps.length > 0 && steps.every(({ seconds }) => seconds !== undefined);
  const spans = isTimed ? timesOf(rehearsal) : positionsOf(steps);
  const barsOf = (object: TimelineObject): Bar[] =>
    object.steps.map((step) => ({
      ...{ action: step.action, isFailed: step.result === "failed" },
      ...(spans.get(step) ?? { from: 0, to: 0 }),
    }));
  const single = (object: TimelineObject): TimelineRow => ({ objects: [object], bars: barsOf(object) });
  const shared = (all: readonly [TimelineObject, ...TimelineObject[]]): TimelineRow =>
    all.length === 1 ? single(all[0]) : { objects: all, bars: spanned(all.flatMap(barsOf)) };
  const rows = groupsOf(objects).map(shared);
  return {
    unit: isTimed ? "seconds" : "positions",
    first: isTimed ? 0 : 1,
    last: [...spans.values()].reduce((most, { to }) => Math.max(most, to), 1),
    rows: rows.toSorted((a, b) => startOf(a) - startOf(b)),
  };
}

const startOf = ({ bars }: TimelineRow): number =>
  bars.reduce((least, { from }) => Math.min(least, from), Number.MAX_VALUE);

/** Returns one bar from the start of the first of several bars to the end of the last. */
const spanned = (bars: readonly Bar[]): Bar[] =>
  bars.length === 0
    ? []
    : [
        {
          action: undefined,
          isFailed: bars.some(({ isFailed }) => isFailed),
          from: bars.reduce((least, { from }) => Math.min(least, from), Number.MAX_VALUE),
          to: bars.reduce((most, { to }) => Math.max(most, to), 0),
        },
      ];

type Group = readonly [TimelineObject, ...TimelineObject[]];

/** Returns the objects of each row: notable objects have rows of their own, if they are not too many. */
function groupsOf(objects: readonly TimelineObject[]): readonly Group[] {
  if (objects.length <= mostSingle) return objects.map((object): Group => [object]);
  const notable = new Set(
    objects
      .filter((object) => rankOf(object) < 3)
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(0, mostNotable),
  );
  const others = objects.filter((object) => !notable.has(object));
  const groups = [...Map.groupBy(others, likenessOf).values()] as unknown as Group[];
  const shown = groups.slice(0, mostRows - notable.size);
  const [first, ...more] = groups.slice(shown.length).flat();
  return [
    ...[...notable].map((object): Group => [object]),
    ...shown,
    ...(first === undefined ? [] : [[first, ...more] as const]),
  ];
}

/** Returns true if a step of the object failed. */
export const hasFailed = (object: TimelineObject): boolean =>
  object.class === "failed" || object.steps.some(({ result }) => result === "failed");

const rankOf = (object: TimelineObject): number =>
  hasFailed(object) ? 0 : object.isInterrupted ? 1 : object.isOnLongestPath ? 2 : 3;

const likenessOf = (object: TimelineObject): string => {
  const { kind, class: effect, assumptions, steps } = object;
  return JSON.stringify([rankOf(object), kind, effect, assumptions, steps.map(({ action }) => action)]);
};

type Step = TimelineObject["steps"][number];
type Spans = ReadonlyMap<Step, { readonly from: number; readonly to: number }>;

const positionsOf = (steps: readonly Step[]): Spans =>
  new Map(steps.map((step) => [step, { from: step.start + 1, to: step.end + 1 }]));

/**
 * Returns the times of steps in seconds. A rehearsal has durations and an order, but no dependencies: a step begins at the end of
 * the step that ended last before it, and not before the end of the previous step of its object and of the longest path.
 */
function timesOf({ objects, longestPath }: ReportRehearsal): Spans {
  const steps = objects.flatMap(({ address, steps: own }) => own.map((step) => ({ address, step })));
  const previous = new Map<string, string>();
  for (const [index, address] of longestPath.entries()) {
    const before = longestPath[index - 1];
    if (before !== undefined && before !== address) previous.set(address, before);
  }
  const ends = steps.toSorted((a, b) => a.step.end - b.step.end);
  const spans = new Map<Step, { readonly from: number; readonly to: number }>();
  /** End of the last step at an address that ended so far. */
  const endsAt = new Map<string, number>();
  let [count, latest] = [0, 0];
  for (const { address, step } of steps.toSorted((a, b) => a.step.start - b.step.start)) {
    for (let end = ends[count]; end !== undefined && end.step.end < step.start; end = ends[++count]) {
      latest = spans.get(end.step)?.to ?? 0;
      endsAt.set(end.address, Math.max(latest, endsAt.get(end.address) ?? 0));
    }
    const from = Math.max(
      latest,
      endsAt.get(address) ?? 0,
      endsAt.get(previous.get(address) ?? address) ?? 0,
    );
    spans.set(step, { from, to: from + (step.seconds ?? 0) });
  }
  return spans;
}
