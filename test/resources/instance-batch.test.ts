import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { inAllWords, inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { batch, namesIn, openBatches } from "../support/batch-world.ts";
import { failure, kept, live, requests, settle } from "../support/cloud.ts";

test("a new batch that no listing shows yet is deleted by a destroy", async () => {
  const { cloud, make, names } = await openBatches();
  const state = await make();
  cloud.emulator.configure({ listingLagMs: 30_000 });
  await cloud.run(engine.delete(cloud.reopen(), batch, state, cloud.call));
  expect(names()).toEqual([]);
});

test("a batch is created with one request, waited for, read and deleted", async () => {
  const { cloud, vpcId, templateId, make, read, remove, asked, progress } = await openBatches();
  const state = await make();
  expect(asked()).toEqual([3]);
  expect(state.values).toEqual({
    vpcId,
    templateId,
    name: "worker",
    machineCount: 3,
    deleteOnTermination: true,
    deletionProtection: null,
    status: "ACTIVE",
    progress: "3 of 3 ACTIVE",
    failureReason: null,
    instances: live(cloud, "instance").map(({ krn, name }, at) => ({
      id: krn,
      name,
      status: "ACTIVE",
      ip: `10.0.0.${at + 2}`,
    })),
    jobIds: [state.id],
    region: "In-Bangalore-1",
  });
  expect(progress[0]).toBe("0 of 3 ACTIVE, 0 s");
  expect(await read(state)).toEqual(state);
  await remove(state);
  expect(live(cloud, "instance")).toEqual([]);
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  expect(live(cloud, "volume")).toEqual([]);
});

test.each([
  {},
  { batchIdIsJob: false },
  { batchNames: "continue" },
  { batchNames: "random" },
  { batchNames: "random", batchIdIsJob: false },
] as const)(
  "a batch grows by one more request and shrinks by its newest instances, with each form of the response: %j",
  async (assume) => {
    const { make, read, update, remove, names, asked } = await openBatches({
      assume: { equalNames: true, ...assume },
      listingLagMs: 2_000,
    });
    const state = await make();
    const first = namesIn(state);
    const grown = await update(state, { machineCount: 5 });
    expect(asked()).toEqual([3, 2]);
    expect(namesIn(grown)).toHaveLength(5);
    expect(grown.id).toBe(state.id);
    const shrunk = await update(grown, { machineCount: 2 });
    expect(namesIn(shrunk)).toHaveLength(2);
    expect(first).toEqual(expect.arrayContaining(namesIn(shrunk)));
    expect(await read(shrunk)).toEqual(shrunk);
    await remove(shrunk);
    expect(names()).toEqual([]);
  },
);

test("instances deleted outside the engine are drift of the count, and recreated", async () => {
  const { cloud, make, read, plan, update, asked } = await openBatches();
  const state = await make();
  const [first] = state.values.instances as { id: string }[];
  cloud.emulator.inventory.remove(first?.id ?? "");
  const seen = (await read(state)) as ResourceState;
  expect([seen.values.machineCount, seen.values.progress]).toEqual([2, "2 of 2 ACTIVE"]);
  expect(plan(seen, {}).changes.map(({ path, effect }) => [...path, effect])).toEqual([
    ["machineCount", "update"],
  ]);
  expect(namesIn(await update(seen, {}))).toHaveLength(3);
  expect(asked()).toEqual([3, 1]);
});

test("a batch without any instance leaves the state", async () => {
  const { cloud, make, read } = await openBatches();
  const state = await make();
  await settle(cloud);
  for (const { krn } of live(cloud, "instance")) cloud.emulator.inventory.remove(krn);
  expect(await read(state)).toBeUndefined();
});

test("a growth whose response is lost creates no second batch", async () => {
  const { cloud, make, update, asked } = await openBatches({ listingLagMs: 10_000 });
  const state = await make();
  cloud.emulator.faults.add({ target: "batch_create_instances", kind: "reset", when: "after" });
  expect(namesIn(await update(state, { machineCount: 5 }))).toHaveLength(5);
  expect(asked()).toEqual([3, 2]);
});

test("a growth whose listing before the request is incomplete is sent once the listing is complete, and a destroy deletes all", async () => {
  const { cloud, make, update, remove, asked } = await openBatches();
  const state = await make();
  cloud.emulator.faults.add({ target: "search_instances", kind: "empty-list", times: 1 });
  const began = cloud.elapsed();
  const grown = await update(state, { machineCount: 5 });
  expect(namesIn(grown)).toHaveLength(5);
  expect(cloud.elapsed() - began).toBeLessThan(60_000);
  expect(asked()).toEqual([3, 2]);
  await remove(grown);
  expect(live(cloud, "instance")).toEqual([]);
});

test.each(["500", "503", "empty-200", "cut-length", "cut-json", "html-200"])(
  "a growth that was answered %s before it was executed fails after settle_seconds, and the next run sends it",
  async (kind) => {
    const { cloud, make, read, plan, update, asked } = await openBatches();
    const state = await make();
    cloud.emulator.faults.add({ target: "batch_create_instances", kind, when: "before", times: 1 });
    const began = cloud.elapsed();
    const failed = await cloud.run(failure(update(state, { machineCount: 5 })));
    const took = cloud.elapsed() - began;
    expect([took >= 120_000, took < 150_000]).toEqual([true, true]);
    expect(explain(failed).detail).toMatch(
      /^The API did not confirm the change\.\nThe API gave no clear response \(.*\), and after 120 s it does not show the configured machine_count\.$/m,
    );
    const seen = (await read(kept(failed))) as ResourceState;
    expect(plan(seen, { machineCount: 5 }).action).toBe("update");
    expect(namesIn(await update(seen, { machineCount: 5 }))).toHaveLength(5);
    expect(asked()).toEqual([3, 2, 2]);
  },
);

test("failed instances are replaced by the next run, and the others are kept", async () => {
  const { cloud, make, read, plan, update } = await openBatches();
  const failed = await cloud.run(failure(make({ name: "worker-fails" })));
  expect(explain(failed).detail).toContain("2 of 3 ACTIVE, 1 ");
  expect(inAllWords(failed.next)).toBe(
    "The next apply replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it (Pulumi: The next `pulumi up` resumes it)",
  );
  const state = kept(failed);
  expect([state.values.machineCount, state.failed]).toEqual([2, undefined]);
  const seen = (await read(state)) as ResourceState;
  const { action, changes } = plan(seen, { name: "worker-fails" });
  expect([action, changes.map(({ path }) => path)]).toEqual(["update", [["machineCount"]]]);
  const before = namesIn(seen);
  const again = await cloud.run(failure(update(seen, { name: "worker-fails" })));
  expect(namesIn(kept(again)).length).toBe(before.length);
});

test("failed instances that cannot be deleted by name are reported until a user removes them", async () => {
  const { cloud, make, read, update, remove, asked } = await openBatches({
    assume: { instanceKrn: "active", instanceShowsTask: false, equalNames: true },
  });
  const name = "worker-fails";
  const state = kept(await cloud.run(failure(make({ name }))));
  const seen = (await read(state)) as ResourceState;
  const failed = await failure(update(seen, { name }));
  const reason = "\nFailed instances of the batch have no ID by which they can be deleted.\n";
  const remedy = "\nDelete these objects in the cloud's console, then run again:";
  expect(explain(failed).detail).toContain(reason);
  expect(explain(failed).detail).toContain(`${remedy} the instance "worker-fails-3".`);
  // No other is created: the error would lose its job.
  expect(asked()).toEqual([3]);
  const left = await failure(remove(kept(failed)));
  expect(explain(left).detail).toContain(reason);
  expect(explain(left).detail).toContain(`${remedy} the instance "worker-fails-3".`);
  const staying = live(cloud, "instance").filter(({ deletingAt }) => deletingAt === undefined);
  expect(staying.map((machine) => machine.name)).toEqual(["worker-fails-3"]);
});

test("a batch is imported by its name or its id; its template is recorded from the configuration", async () => {
  const { vpcId, make, take, plan, cloud } = await openBatches();
  const { id } = await make();
  for (const last of ["worker", id]) {
    const state = await take(`${vpcId},${last}`);
    expect([state.id, state.values.machineCount, state.unread]).toEqual([
      id,
      3,
      ["templateId", "deleteOnTermination"],
    ]);
    expect(
      plan(state, {}).changes.map(({ path, effect, recordOnly }) => [...path, effect, recordOnly]),
    ).toEqual([["templateId", "update", true]]);
  }
  const listed = await cloud.run(engine.list(cloud.reopen(), batch, { vpcId }, cloud.call));
  expect(listed.map(({ id, name }) => [id, name])).toEqual([[id, "worker"]]);
});

test("boot volumes are kept if configured", async () => {
  const { cloud, make, remove } = await openBatches();
  await remove(await make({ deleteOnTermination: false }));
  expect(live(cloud, "volume")).toHaveLength(3);
});

test("only another template, name or VPC replaces the batch, with a warning of the lost data", async () => {
  const { make, plan } = await openBatches();
  const state = await make();
  expect(plan(state, { machineCount: 9 }).action).toBe("update");
  for (const change of [{ name: "other" }, { templateId: "other" }, { vpcId: "other" }])
    expect(plan(state, change).changes.map(({ effect, reason }) => [effect, reason])).toEqual([
      [
        "replace",
        "All instances of the batch are deleted. The data on the boot volumes of its instances is destroyed.",
      ],
    ]);
});

test("a protected batch grows and does not shrink, even if the same change turns the protection off", async () => {
  const { cloud, make, plan, update, asked } = await openBatches();
  const state = await make({ deletionProtection: true });
  const problem =
    "the change deletes a part of the object, whose deletion protection is on. Set deletionProtection: false and run pulumi up first, without the change that deletes or replaces the object";
  for (const deletionProtection of [true, false]) {
    const less = { machineCount: 2, deletionProtection };
    const problems = plan(state, less).problems.map((refused) => inWordsOf("pulumi", refused.problem));
    expect(problems).toEqual([problem]);
    await expect(update(state, less)).rejects.toThrow(`machineCount: ${problem}`);
  }
  expect(requests(cloud, "delete_instance")).toEqual([]);
  const more = { machineCount: 4, deletionProtection: true };
  expect(plan(state, more)).toMatchObject({ action: "update", problems: [] });
  const grown = await update(state, more);
  expect(asked()).toEqual([3, 1]);
  const open = await update(grown, { machineCount: 4 });
  expect(namesIn(await update(open, { machineCount: 2 }))).toHaveLength(2);
});

test("the plan of a smaller batch names the instances that it deletes, and a larger one warns of nothing", async () => {
  const { make, plan } = await openBatches();
  const state = await make();
  const [, second, third] = state.values.instances as { id: string }[];
  expect(plan(state, { machineCount: 5 }).warnings).toEqual([]);
  const [warning, ...others] = plan(state, { machineCount: 1 }).warnings;
  expect(others).toEqual([]);
  expect(inWordsOf("terraform", warning?.summary ?? "")).toBe(
    'The change of machine_count deletes parts of the instance batch "worker"',
  );
  expect(warning?.detail).toBe(
    `The change deletes the instance (${second?.id}), the instance (${third?.id}). The data on the boot volumes of its instances is destroyed.`,
  );
});

test("a growth right after the create does not create the instances again that a late listing does not show", async () => {
  const { cloud, make, update, asked } = await openBatches();
  const state = await make();
  cloud.emulator.configure({ listingLagMs: 30_000 });
  expect(namesIn(await update(state, { machineCount: 5 }))).toHaveLength(5);
  expect(asked()).toEqual([3, 2]);
});

test("a growth that was stopped before a listing shows its instances records its job", async () => {
  const { cloud, make, inputs, remove, names } = await openBatches();
  const state = await make();
  await settle(cloud);
  cloud.emulator.configure({ listingLagMs: 10_000 });
  const growing = engine.update(cloud.session, batch, state, inputs({ machineCount: 5 }), {
    ...cloud.call,
    timeout: 3,
  });
  const stopped = kept(await cloud.run(failure(growing)));
  expect(stopped.values.jobIds).toHaveLength(2);
  await settle(cloud);
  await remove(stopped);
  expect(names()).toEqual([]);
});

test.each([true, false])(
  "a refresh right after a stopped growth keeps what no listing shows yet, batch ids are job ids: %p",
  async (batchIdIsJob) => {
    const { cloud, make, inputs, read, remove, names } = await openBatches({ assume: { batchIdIsJob } });
    const state = await make();
    await settle(cloud);
    cloud.emulator.configure({ listingLagMs: 60_000 });
    const growing = engine.update(cloud.session, batch, state, inputs({ machineCount: 5 }), {
      ...cloud.call,
      timeout: 3,
    });
    const stopped = kept(await cloud.run(failure(growing)));
    const seen = await read(stopped);
    expect(seen?.values).toMatchObject({ machineCount: 5, jobIds: stopped.values.jobIds });
    await settle(cloud);
    expect((await read(seen as ResourceState))?.values.machineCount).toBe(5);
    await remove(seen as ResourceState);
    expect(names()).toEqual([]);
  },
);

test("a rejected growth right after the create is planned again", async () => {
  const { cloud, make, update, read, plan } = await openBatches();
  const state = await make();
  cloud.emulator.faults.add({ target: "batch_create_instances", kind: "422", when: "before", times: 1 });
  const rejected = kept(await cloud.run(failure(update(state, { machineCount: 5 }))));
  expect(rejected.values).toMatchObject({ machineCount: 3, status: "ACTIVE" });
  expect(plan((await read(rejected)) as ResourceState, { machineCount: 5 }).action).toBe("update");
});

/** Stops a growth from 3 to 5 instances whose request was executed without a response (`kind`). Rows show no job ids. */
async function stoppedGrowth(kind = "reset") {
  const opened = await openBatches({ assume: { batchIdIsJob: false } });
  const { cloud, make, inputs } = opened;
  const state = await make();
  await settle(cloud);
  cloud.emulator.faults.add({ target: "batch_create_instances", kind, when: "after", times: 1 });
  const call = { ...cloud.call, timeout: 3 };
  const growing = engine.update(cloud.session, batch, state, inputs({ machineCount: 5 }), call);
  return { ...opened, stopped: kept(await cloud.run(failure(growing))) };
}

test("the destroy after a growth whose response was lost deletes its instances", async () => {
  const { cloud, stopped, names } = await stoppedGrowth();
  await cloud.run(engine.delete(cloud.reopen(), batch, stopped, cloud.call));
  expect(names()).toEqual([]);
});

test("refreshes after a growth whose response was lost count its instances, and then no other batch", async () => {
  const { cloud, stopped, read, remove, createElsewhere, names } = await stoppedGrowth();
  const early = (await read(stopped)) as ResourceState;
  expect(early.values.machineCount).toBe(5);
  await settle(cloud);
  const settled = (await read(early)) as ResourceState;
  expect([settled.values.machineCount, settled.unconfirmed]).toEqual([5, undefined]);
  const [first] = live(cloud, "instance");
  cloud.emulator.inventory.remove(String(first?.krn));
  await createElsewhere(1, "c1.medium");
  expect((await read(settled))?.values.machineCount).toBe(4);
  await remove(settled);
  expect(names()).toHaveLength(1);
});
