import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, requests } from "../../support/cloud.ts";
import { instance, openNetwork } from "../../support/instance-world.ts";

test("an instance that failed before it had a KRN is identified and deleted by its task", async () => {
  const { cloud, inputs, create, read, remove } = await openNetwork({ assume: { instanceKrn: "active" } });
  const state = kept(await cloud.run(failure(create({ name: "web-fails" }))));
  const refreshed = await cloud.run(read(state));
  expect(refreshed).toMatchObject({ id: state.values.taskId, values: { status: "ERROR" } });
  const { action } = engine.plan(instance, refreshed, inputs({ name: "web-fails" }), cloud.session);
  expect(action).toBe("replace");
  await cloud.run(remove(state));
  expect(requests(cloud, "delete_instance").map(({ query }) => query)).toEqual([
    { task_id: state.values.taskId, deleteVolume: "true" },
  ]);
  expect(live(cloud, "instance")).toEqual([]);
});

test.each([
  [{ instanceKrn: "active" }],
  [{ instanceSpelling: "legacy" }],
  [{ instancePaging: "camel" }],
  [{ buildingWord: "CREATING" }],
  [{ searchShowsPorts: true }],
  [{ networkPortsAfterMs: 5_000 }],
  [{ instanceListKeepsDeadMs: 60_000 }],
] as const)("an instance is created, read and deleted under every assumption: %j", async (assume) => {
  const { cloud, inputs, create, read, remove } = await openNetwork({ assume, listingLagMs: 500 });
  const state = await cloud.run(create());
  expect(state.values).toMatchObject({ status: "ACTIVE", networkPorts: [{ fixedIp: "10.0.0.2" }] });
  const refreshed = await cloud.run(read(state));
  expect(refreshed).toEqual(state);
  expect(engine.plan(instance, refreshed, inputs(), cloud.session).action).toBe("none");
  await cloud.run(remove(state));
  expect(live(cloud, "instance")).toEqual([]);
});

test("a refresh reads no single instance while the search shows the addresses of its ports", async () => {
  const { cloud, create, read } = await openNetwork();
  const state = await cloud.run(create({ floatingIp: true }));
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  const before = requests(cloud, "get_instance").length;
  expect(await cloud.run(read(state))).toEqual(state);
  expect(requests(cloud, "get_instance")).toHaveLength(before);
});

test("a run that reads nothing else reads the task of a stopped create", async () => {
  const { cloud, create } = await openNetwork({ taskMs: 60_000, assume: { instanceKrn: "active" } });
  const stop = new AbortController();
  const work = failure(create({}, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  stop.abort();
  const state = kept(await cloud.run(work));
  const read = engine.read(cloud.reopen(), instance, state, cloud.call);
  expect((await cloud.run(read))?.id).toBe(live(cloud, "instance")[0]?.krn);
});

test("a row that appears late is found by its task, which is read only then", async () => {
  const { cloud, create } = await openNetwork({ listingLagMs: 20_000, taskMs: 30_000 });
  const state = await cloud.run(create());
  expect(state.values.status).toBe("ACTIVE");
  expect(requests(cloud, "get_instance_task_status").length).toBeLessThan(5);
});
