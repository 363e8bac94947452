import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { live } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

test("500 concurrent instances are created, read and deleted as fast as the rate limit allows, with one shared listing at a time", async () => {
  const [count, pages, taskMs, rate] = [500, 5, 30_000, 10];
  const searches = new Map<number, number>();
  const { cloud, create, read, remove } = await openNetwork(
    { taskMs },
    { maxRequestsPerSecond: rate },
    {
      wrap: (transport) => ({
        send(request, signal) {
          if (!request.url.includes("/search_instances")) return transport.send(request, signal);
          const now = cloud.elapsed();
          searches.set(now, (searches.get(now) ?? 0) + 1);
          return transport.send(request, signal);
        },
      }),
    },
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const sent = () => sum(Object.values(cloud.emulator.log.counts()));
  /** Runs the work and returns its elapsed time, divided by the time of a task or of its requests at the rate limit. */
  const stretchOf = async (work: () => readonly Promise<unknown>[]) => {
    const [began, before] = [cloud.elapsed(), sent()];
    await cloud.run(Promise.all(work()));
    return (cloud.elapsed() - began) / Math.max(taskMs, ((sent() - before) / rate) * 1_000);
  };
  const states: ResourceState[] = [];
  const names = Array.from({ length: count }, (_, index) => `machine-${index}`);
  const stretch = await stretchOf(() =>
    names.map((name) => create({ name }).then((state) => states.push(state))),
  );
  expect(stretch).toBeLessThanOrEqual(1.1);
  expect(new Set(states.map(({ id }) => id)).size).toBe(count);
  expect(states.filter(({ values }) => values.status !== "ACTIVE")).toEqual([]);
  const { create_instance, get_instance, get_instance_task_status } = cloud.emulator.log.counts();
  expect([create_instance, get_instance, get_instance_task_status]).toEqual([count, count, undefined]);
  const polls = [...searches.values()];
  expect(Math.max(...polls)).toBeLessThanOrEqual(pages);
  expect(sum(polls)).toBeLessThanOrEqual(12 * pages);
  const before = sent();
  await cloud.run(Promise.all(states.map((state) => read(state))));
  expect(sent() - before).toBeLessThanOrEqual(pages);
  expect(await stretchOf(() => states.map((state) => remove(state)))).toBeLessThanOrEqual(1.1);
  expect(live(cloud, "instance")).toEqual([]);
});
