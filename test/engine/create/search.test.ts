import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, openCloud, resource, settle } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/**
 * Tests rows of other objects and ids that identify no object. The simulation found them, with seeds 292, 10436, 1190, 11157,
 * 1154 and 61 of its version at that time.
 */

test("a masked id of a task is ignored: the search that shows the full id decides", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "get_vpc_task_status", kind: "masked-ids" });
  const made = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect([made.id]).toEqual(live(cloud, "vpc").map(({ krn }) => krn));
});

test("an id that every response masks is not recorded, and the error names the import by the full id", async () => {
  const cloud = openCloud({}, { settleSeconds: 5 });
  cloud.emulator.faults.add({ target: "*", kind: "masked-ids" });
  const failed = await cloud.run(failure(cloud.create("vpc", { name: "net" })));
  expect([failed.state, explain(failed).detail]).toEqual([
    undefined,
    [
      "A listing shows it without an ID or with a masked one.",
      "The object may exist.",
      "Look for it in the cloud's console; if it exists, import it before the next run (terraform import kcloud_vpc.NAME 'ID', or tofu import with the same arguments), or set adopt_existing = true to adopt it.",
    ].join("\n"),
  ]);
});

test("a row of another region is not the new object, even with the same name and task", async () => {
  const world = await openNetwork();
  world.cloud.emulator.faults.add({ target: "search_instances", kind: "foreign-row" });
  const made = await world.cloud.run(world.create());
  expect([made.id]).toEqual(live(world.cloud, "instance").map(({ krn }) => krn));
});

test("a failed instance without an ID may exist, although another one without an ID was listed before the create", async () => {
  const { cloud, create } = await openNetwork({
    assume: { instanceKrn: "active", instanceShowsTask: false },
  });
  await cloud.run(failure(create({ name: "other-fails" })));
  const failed = await cloud.run(failure(create({ name: "web-fails" })));
  expect(failed.existence).toEqual({ is: "may exist" });
});

test("a listed instance without an ID that was created later does not keep a deleted one of its name in the state", async () => {
  const { cloud, vpcId, create, read } = await openNetwork({
    assume: { instanceKrn: "active", instanceShowsTask: false },
  });
  await cloud.run(failure(create({ name: "web-fails" })));
  const krn = String(live(cloud, "instance")[0]?.krn);
  const place = `${vpcId},${krn}`;
  const state = await cloud.run(engine.import(cloud.session, resource("instance"), place, cloud.call));
  cloud.emulator.inventory.remove(krn);
  await settle(cloud);
  await cloud.run(failure(create({ name: "web-fails" })));
  expect(live(cloud, "instance")).toHaveLength(1);
  await settle(cloud);
  expect(await cloud.run(read(state))).toBeUndefined();
});

test("an instance that was reported as failed too early is found by its task when it has a KRN", async () => {
  const world = await openNetwork({ assume: { instanceKrn: "active" }, taskMs: 60_000 });
  const { cloud, create, read } = world;
  const wrongStatus = {
    target: "search_instances",
    kind: "unknown-status",
    word: "ERROR",
    times: 2,
  } as const;
  cloud.emulator.faults.add(wrongStatus);
  const state = kept(await cloud.run(failure(create())));
  const [machine] = live(cloud, "instance");
  expect(state.id).toBe((machine as unknown as { tasks: { id: string }[] }).tasks[0]?.id);
  const later = await cloud.run(cloud.emulator.clock.sleep(90_000).then(() => read(state)));
  expect([later?.id, later?.values.status]).toEqual([machine?.krn, "ACTIVE"]);
});
