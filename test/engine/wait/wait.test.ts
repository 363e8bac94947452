import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, requests, resource } from "../../support/cloud.ts";
import { data, withVpc } from "../create/vpc.ts";

test("the usual duration of a delete is that of its kind", async () => {
  const { cloud, vpcId } = await withVpc();
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  const state = await cloud.run(cloud.create("volume", data(vpcId)));
  cloud.emulator.configure({ taskMs: 30_000 });
  await cloud.run(engine.delete(cloud.session, resource("volume"), state, cloud.call));
  cloud.emulator.configure({ listingLagMs: 3_000 });
  const reports: string[] = [];
  const call = { ...cloud.call, report: (status: Text) => reports.push(inWordsOf("terraform", status)) };
  await cloud.run(engine.delete(cloud.session, resource("subnet"), subnet, call));
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.filter((status) => status.includes("typically"))).toEqual([]);
});

test("an unknown status is tolerated in three spaced polls, then reported", async () => {
  const { cloud, vpcId } = await withVpc();
  const began = cloud.elapsed();
  cloud.emulator.faults.add({ target: "list_volumes", kind: "unknown-status", word: "MYSTERY", from: 2 });
  const failed = await cloud.run(failure(cloud.create("volume", data(vpcId))));
  expect(explain(failed).detail).toContain(
    "The API reports the status MYSTERY, which is unknown to this provider.",
  );
  expect(kept(failed).id).toBe(live(cloud, "volume")[0]?.krn);
  expect(cloud.elapsed() - began).toBeGreaterThan(6_000);
  const again = await withVpc();
  again.cloud.emulator.faults.add({ target: "list_volumes", kind: "unknown-status", from: 2, times: 3 });
  const made = await again.cloud.run(again.cloud.create("volume", data(again.vpcId)));
  expect(made.values.status).toBe("available");
});

test("an object whose create ended with an unknown status is read again by the next run, and replaced only if it failed", async () => {
  const { cloud, vpcId } = await withVpc();
  const definition = resource("volume");
  const { inputs } = engine.check(definition, data(vpcId));
  const endedWith = async (word: string) => {
    cloud.emulator.faults.add({ target: "list_volumes", kind: "unknown-status", word, from: 2 });
    const state = kept(await cloud.run(failure(cloud.create("volume", data(vpcId)))));
    cloud.emulator.faults.clear();
    return { state, ...engine.plan(definition, state, inputs, cloud.session) };
  };
  const { state, action } = await endedWith("MYSTERY");
  expect(action).toBe("none");
  const resumed = await cloud.run(engine.update(cloud.reopen(), definition, state, inputs, cloud.call));
  expect([resumed.id, resumed.values.status]).toEqual([state.id, "available"]);
  await cloud.run(engine.delete(cloud.session, definition, resumed, cloud.call));
  expect((await endedWith("error")).action).toBe("replace");
});

test.each([
  ["at its deadline", "list_volumes", { kind: "unknown-status", word: "creating", from: 2 }, { timeout: 20 }],
  ["because reads failed", "list_volumes", { kind: "503", from: 2 }, {}],
  [
    "because the API showed another value",
    "list_volumes",
    { kind: "missing-field", field: "description", from: 2 },
    {},
  ],
] as const)(
  "an object whose create ended %s is read again by the next run, and kept",
  async (_, target, fault, call) => {
    const { cloud, vpcId } = await withVpc();
    const definition = resource("volume");
    const { inputs } = engine.check(definition, { ...data(vpcId), description: "of ana" });
    cloud.emulator.faults.add({ target, ...fault });
    const state = kept(
      await cloud.run(failure(engine.create(cloud.session, definition, inputs, { ...cloud.call, ...call }))),
    );
    cloud.emulator.faults.clear();
    expect(engine.plan(definition, state, inputs, cloud.session).action).not.toBe("replace");
    const resumed = await cloud.run(engine.update(cloud.reopen(), definition, state, inputs, cloud.call));
    expect([resumed.id, resumed.values.status]).toEqual([state.id, "available"]);
  },
);

test("an object that the API never shows ends the wait after two minutes", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "get_volume", kind: "404" });
  cloud.emulator.configure({ listingLagMs: 3_600_000 });
  const subnet = { vpcId, name: "a", cidr: "10.0.0.0/24" };
  const reports: string[] = [];
  const call = { ...cloud.call, report: (status: Text) => reports.push(inWordsOf("terraform", status)) };
  const { inputs } = engine.check(resource("subnet"), subnet);
  const failed = await cloud.run(failure(engine.create(cloud.session, resource("subnet"), inputs, call)));
  expect(explain(failed).detail).toContain("The API does not show the object after 120 s.");
  expect(reports[0]).toBe("not visible yet, 0 s");
  expect(kept(failed).id).toBe(live(cloud, "subnet")[0]?.krn);
});

test("with settle_seconds = 0, the first two listings that do not show a new object yet do not end the wait", async () => {
  const { cloud, vpcId } = await withVpc({ listingLagMs: 400 }, { settleSeconds: 0 });
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  expect(subnet.id).toBe(live(cloud, "subnet")[0]?.krn);
});

test("ten concurrent waits for volumes share listings: fewer than three times as many as one wait", async () => {
  const { cloud, vpcId } = await withVpc({ taskMs: 30_000 });
  const create = (name: string) =>
    engine.create(
      cloud.session,
      resource("volume"),
      { ...data(vpcId), name, availabilityZone: "nova", multiattach: false },
      cloud.call,
    );
  await cloud.run(Promise.all(Array.from({ length: 10 }, (_, index) => create(`data-${index}`))));
  const alone = await withVpc({ taskMs: 30_000 });
  await alone.cloud.run(alone.cloud.create("volume", data(alone.vpcId)));
  const [shared, lone] = [cloud, alone.cloud].map((each) => requests(each, "list_volumes").length);
  // They are detected as ready sooner than a single one.
  expect(cloud.elapsed()).toBeLessThan(alone.cloud.elapsed() - 5_000);
  expect(shared).toBeLessThan(3 * (lone ?? 0));
});

test("a create that ended because the API showed another value records that value, and the next plan changes it", async () => {
  const { cloud, vpcId } = await withVpc();
  const definition = resource("volume");
  const { inputs } = engine.check(definition, { ...data(vpcId), description: "of ana" });
  cloud.emulator.faults.add({ target: "list_volumes", kind: "missing-field", field: "description", from: 2 });
  const create = engine.create(cloud.session, definition, inputs, cloud.call);
  const state = kept(await cloud.run(failure(create)));
  expect(state.values.description).toBeNull();
  const { changes } = engine.plan(definition, state, inputs, cloud.session);
  expect(changes.map(({ path }) => path)).toEqual([["description"]]);
});
