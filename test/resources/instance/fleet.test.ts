import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { type Cloud, live } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests hundreds of instances at once: limits of the elapsed time on the manual clock and of the number of requests. */

const taskMs = 30_000;
const rate = 10;
const page = 100;

/** Runs `work` for each item, `width` of them at a time, as an engine does. */
async function inParallel<T, R>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const rest = items.entries();
  const done: R[] = [];
  const lane = async () => {
    for (const [place, item] of rest) done[place] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return done;
}

const everything = ({ emulator }: Cloud): number =>
  Object.values(emulator.log.counts()).reduce((sum, count) => sum + count, 0);
const counted = ({ emulator }: Cloud, operation: string): number => emulator.log.counts()[operation] ?? 0;

/**
 * Creates `count` instances, `width` at a time. `stretch` is the elapsed time divided by its lower bound: the tasks of
 * all rounds in sequence, or all requests at the rate limit, whichever takes longer.
 */
async function createMany(count: number, width: number) {
  const searched = new Map<number, number>();
  const place = await openNetwork(
    { taskMs },
    { maxRequestsPerSecond: rate },
    {
      wrap: (transport) => ({
        send(request, signal) {
          if (!request.url.includes("/search_instances")) return transport.send(request, signal);
          const now = place.cloud.elapsed();
          searched.set(now, (searched.get(now) ?? 0) + 1);
          return transport.send(request, signal);
        },
      }),
    },
  );
  const { cloud, create } = place;
  const stretched = async <T>(work: (item: T) => Promise<unknown>, items: readonly T[]) => {
    const [began, before] = [cloud.elapsed(), everything(cloud)];
    await cloud.run(inParallel(width, items, work));
    const sent = ((everything(cloud) - before) / rate) * 1_000;
    return (cloud.elapsed() - began) / Math.max(Math.ceil(count / width) * taskMs, sent);
  };
  const names = Array.from({ length: count }, (_, index) => `machine-${index}`);
  const made: ResourceState[] = [];
  const stretch = await stretched(async (name) => made.push(await create({ name })), names);
  expect(new Set(made.map(({ id }) => id)).size).toBe(count);
  expect(made.filter(({ values }) => values.status !== "ACTIVE")).toEqual([]);
  expect([counted(cloud, "create_instance"), counted(cloud, "get_instance")]).toEqual([count, count]);
  expect(counted(cloud, "get_instance_task_status")).toBe(0);
  const polls = [...searched.values()];
  return { place, made, stretch, stretched, polls };
}

const pagesOf = (count: number) => Math.ceil(count / page);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test("200 instances, ten at a time, need only the time of their tasks, with one shared listing at a time", async () => {
  const { stretch, polls } = await createMany(200, 10);
  expect(stretch).toBeLessThanOrEqual(1.1);
  expect(Math.max(...polls)).toBeLessThanOrEqual(pagesOf(200));
  // About fifteen listings per round of tasks, independent of the number of waiting instances.
  expect(sum(polls)).toBeLessThanOrEqual(16 * 20 * pagesOf(200));
});

test("500 concurrent instances are created, read and deleted as fast as the rate limit allows", async () => {
  const { place, made, stretch, stretched, polls } = await createMany(500, 500);
  expect(stretch).toBeLessThanOrEqual(1.1);
  expect(Math.max(...polls)).toBeLessThanOrEqual(pagesOf(500));
  expect(sum(polls)).toBeLessThanOrEqual(12 * pagesOf(500));
  const before = everything(place.cloud);
  await stretched(place.read, made);
  expect(everything(place.cloud) - before).toBeLessThanOrEqual(pagesOf(500));
  expect(await stretched(place.remove, made)).toBeLessThanOrEqual(1.1);
  expect(live(place.cloud, "instance")).toEqual([]);
});
