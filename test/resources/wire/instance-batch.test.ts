import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { inAllWords } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { batch, openBatches } from "../../support/batch-world.ts";
import { failure, kept, live, settle } from "../../support/cloud.ts";

test("instances of other owners are not changed", async () => {
  const { cloud, make, update, remove, instance, names } = await openBatches({
    assume: { equalNames: true },
  });
  await cloud.run(instance({ name: "worker-db" }));
  const other = await make({ name: "worker-gpu" });
  const state = await make();
  await update(state, { machineCount: 1 });
  await remove(state);
  expect(names().toSorted()).toEqual(["worker-db", "worker-gpu-1", "worker-gpu-2", "worker-gpu-3"]);
  await remove(other);
  expect(names()).toEqual(["worker-db"]);
});

test("instances of another batch whose names fit stay out of the batch, and its destroy deletes none of them", async () => {
  const { make, read, plan, remove, names } = await openBatches();
  const web = await make({ name: "web", machineCount: 12 });
  const one = await make({ name: "web-1", machineCount: 1 });
  for (const [state, name, machineCount] of [[web, "web", 12] as const, [one, "web-1", 1] as const]) {
    const seen = await read(state);
    expect(seen?.values).toEqual(state.values);
    expect(plan(seen, { name, machineCount }).action).toBe("none");
  }
  await remove(one);
  expect(names()).toHaveLength(12);
});

test("a state of version 0.1.0 gets the jobs of its recorded instances at the first read", async () => {
  const { make, read, update } = await openBatches();
  const grown = await update(await make({ name: "web" }), { name: "web", machineCount: 5 });
  await make({ name: "web-1", machineCount: 1 });
  const old = { ...grown, values: { ...grown.values, jobIds: null } };
  expect((await read(old))?.values).toEqual(grown.values);
  expect(grown.values.jobIds).toHaveLength(2);
});

test("instances of another batch that version 0.1.0 recorded by their names stay out of the batch", async () => {
  const { cloud, make, read, plan, remove, names } = await openBatches();
  const web = await make({ name: "web", machineCount: 12 });
  const one = await make({ name: "web-1", machineCount: 1 });
  const fitting = live(cloud, "instance").filter(({ name }) => String(name).startsWith("web-1"));
  const instances = fitting.map(({ krn, name }) => ({ id: krn, name: String(name), status: "ACTIVE" }));
  expect(instances).toHaveLength(5);
  const old = { ...one, values: { ...one.values, jobIds: null, machineCount: 5, instances } };
  const seen = (await read(old)) as ResourceState;
  expect(seen.values).toEqual(one.values);
  expect(plan(seen, { name: "web-1", machineCount: 1 }).action).toBe("none");
  await remove(old);
  expect(names()).toHaveLength(12);
  expect((await read(web))?.values).toEqual(web.values);
});

test("a batch whose name also matches an instance of another batch is rejected before anything is sent", async () => {
  const { cloud, make, inputs, asked } = await openBatches();
  await make({ name: "web", machineCount: 1 });
  const work = engine.create(cloud.session, batch, inputs({ name: "web-1" }), cloud.call);
  const failed = await cloud.run(failure(work));
  expect(explain(failed).detail).toContain(
    "name: also matches instances that the state of the batch does not contain",
  );
  expect(explain(failed).detail).toContain(
    `then run again: the instance "web-1" (${live(cloud, "instance")[0]?.krn})`,
  );
  expect(failed.existence.is).toBe("nothing created");
  expect(asked()).toEqual([1]);
});

/** Starts two concurrent creates of one name, each in a separate process. */
async function createTwice(listingLagMs: number) {
  const world = await openBatches({
    assume: { batchIdIsJob: false, batchNames: "continue", listingLagOf: "object" },
    listingLagMs,
  });
  const { cloud, inputs } = world;
  const start = (machineCount: number) =>
    failure(engine.create(cloud.reopen(), batch, inputs({ machineCount }), cloud.call));
  return { ...world, failed: await cloud.run(Promise.all([start(1), start(3)])) };
}

test.each([0, 20_000])(
  "neither of two batches with one name is recorded if rows show no job, with a lag of %i ms",
  async (listingLagMs) => {
    const { cloud, vpcId, failed } = await createTwice(listingLagMs);
    const ids = [
      ...new Set(live(cloud, "instance").map((each) => String((each as { batchId?: unknown }).batchId))),
    ];
    expect(ids).toHaveLength(2);
    for (const { existence, state, next } of failed) {
      expect([existence.is, state]).toEqual(["may exist", undefined]);
      for (const id of ids) expect(inAllWords(next)).toContain(`'${vpcId},${id}'`);
    }
  },
);

test.each([
  [true, 20_000],
  [false, 150_000],
])(
  "the only new batch with that name is recorded as the created one once listings show all: %p",
  async (isJob, within) => {
    const { cloud, make } = await openBatches({ assume: { batchIdIsJob: isJob } });
    const began = cloud.elapsed();
    const { values } = await make();
    expect(values.machineCount).toBe(3);
    expect(cloud.elapsed() - began).toBeLessThan(within);
    expect(cloud.elapsed() - began >= 120_000).toBe(!isJob);
  },
);

test("a batch that grew is one batch in a lookup, a listing, an import and an adoption", async () => {
  const { cloud, vpcId, make, update, find, take, inputs } = await openBatches();
  const grown = await update(await make(), { machineCount: 5 });
  expect(grown.values.jobIds).toHaveLength(2);
  expect(await find("instance-batch", { vpcId, name: "worker" })).toMatchObject({
    id: grown.id,
    machineCount: 5,
    jobIds: grown.values.jobIds,
  });
  expect((await find("instance-batches", { vpcId })).instanceBatches).toHaveLength(1);
  for (const last of ["worker", String(grown.id)]) {
    const { id, values } = await take(`${vpcId},${last}`);
    expect([id, values.machineCount, values.jobIds]).toEqual([grown.id, 5, grown.values.jobIds]);
  }
  const adopting = engine.create(
    cloud.reopen({ adoptExisting: true }),
    batch,
    inputs({ machineCount: 5 }),
    cloud.call,
  );
  expect((await cloud.run(adopting)).values).toEqual(grown.values);
});

test("batches of one name that differ in their instances are listed separately, and an import by that name gives their ids", async () => {
  const { vpcId, make, find, take, createElsewhere } = await openBatches();
  const ours = await make();
  const theirs = await createElsewhere(2, "c1.medium");
  const listed = await find("instance-batches", { vpcId });
  expect(listed.instanceBatches).toMatchObject([{ id: ours.id }, { id: theirs }]);
  const refused = await failure(take(`${vpcId},worker`));
  for (const id of [ours.id, theirs]) expect(inAllWords(refused.next)).toContain(`'${vpcId},${id}'`);
  await expect(find("instance-batch", { vpcId, name: "worker" })).rejects.toThrow("2 instance batches have");
  expect((await take(`${vpcId},${theirs}`)).values.machineCount).toBe(2);
  expect((await take(`${vpcId},${ours.id}`)).values.machineCount).toBe(3);
});

test("the growth of a batch whose request was not executed takes no later batch of its name", async () => {
  for (const batchIdIsJob of [true, false]) {
    const { cloud, make, inputs, read, plan, remove, createElsewhere, names } = await openBatches({
      assume: { batchIdIsJob },
    });
    const state = await make();
    await settle(cloud);
    cloud.emulator.faults.add({ target: "batch_create_instances", kind: "hang", when: "before", times: 1 });
    const call = { ...cloud.call, timeout: 30 };
    const growing = engine.update(cloud.session, batch, state, inputs({ machineCount: 5 }), call);
    const stopped = kept(await cloud.run(failure(growing)));
    for (let n = 0; n < 2; n += 1) await settle(cloud);
    await createElsewhere(2, "c1.medium");
    const seen = (await read(stopped)) as ResourceState;
    expect([seen.values.machineCount, plan(seen, { machineCount: 5 }).action]).toEqual([3, "update"]);
    await remove(stopped);
    expect(names()).toHaveLength(2);
  }
});

test("a response that omits the status of every instance does not change the state", async () => {
  const { cloud, make, read } = await openBatches();
  const state = await make();
  await settle(cloud);
  cloud.emulator.faults.add({
    target: "search_instances",
    kind: "missing-field",
    field: "status",
    from: 1,
    times: 1,
  });
  expect((await read(state))?.values.status).toBe("ACTIVE");
  expect((await read(state))?.values).toEqual(state.values);
});

test("a growth that was stopped where rows show no jobs counts once listings show it", async () => {
  const { cloud, make, inputs, read, remove, names } = await openBatches({ assume: { batchIdIsJob: false } });
  const state = await make();
  await settle(cloud);
  const growing = engine.update(cloud.session, batch, state, inputs({ machineCount: 5 }), {
    ...cloud.call,
    timeout: 3,
  });
  const stopped = kept(await cloud.run(failure(growing)));
  await settle(cloud);
  expect((await read(stopped))?.values.machineCount).toBe(5);
  await remove(stopped);
  expect(names()).toEqual([]);
});
