import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";

/** Tests that an in-place change keeps other attributes. */

test.each([{ deletionProtection: true }, { restartWhenChanged: { by: "1" } }, { powerState: "stopped" }])(
  "in the plan of the change %j of an instance, its addresses stay known",
  async (change) => {
    const { cloud, inputs, create } = await openNetwork();
    const state = await cloud.run(create());
    const instance = resource("instance");
    const { values } = engine.plan(instance, state, inputs(change), cloud.session);
    const unknown = Object.keys(values).filter((name) => values[name] === UNKNOWN);
    expect(unknown).toEqual("powerState" in change ? ["status"] : []);
  },
);

test("the plan after an import has the id of the configured primary subnet, among all subnets of the VPC", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const { inputs } = engine.check(vpc, {
    name: "net",
    primarySubnet: { name: "a", cidr: "10.0.0.0/24", ingress: false },
  });
  const made = await cloud.run(engine.create(cloud.session, vpc, inputs, cloud.call));
  const vpcId = String(made.id);
  await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, vpcId, cloud.call));
  const read = await cloud.run(engine.read(cloud.reopen(), vpc, imported, cloud.call));
  expect(read).toEqual(imported);
  const { action, values } = engine.plan(vpc, read, inputs, cloud.session);
  expect([action, values.primarySubnet]).toEqual(["update", made.values.primarySubnet]);
  const recorded = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  expect([recorded.values, recorded.candidates]).toEqual([made.values, undefined]);
  const other = { ...inputs, primarySubnet: { ...(inputs.primarySubnet as Values), name: "c" } };
  expect(engine.plan(vpc, imported, other, cloud.session).values.primarySubnet).toMatchObject({
    id: UNKNOWN,
  });
});

test("the id of the primary subnet that a plan has after an import is returned, even if the API then masks the id", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const written = { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } };
  const { inputs } = engine.check(vpc, written);
  const made = await cloud.run(engine.create(cloud.session, vpc, inputs, cloud.call));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, String(made.id), cloud.call));
  cloud.emulator.faults.add({ kind: "masked-ids", target: "get_vpc" });
  const { values } = engine.plan(vpc, imported, inputs, cloud.session);
  const recorded = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  expect(values.primarySubnet).toEqual(made.values.primarySubnet);
  expect(recorded.values.primarySubnet).toEqual(made.values.primarySubnet);
});

test("a value that another user changed meanwhile is returned as planned, and the next refresh shows it", async () => {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const volume = resource("volume");
  const inputs = (more: Values) =>
    engine.check(volume, { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS", ...more }).inputs;
  const made = await cloud.run(engine.create(cloud.session, volume, inputs({}), cloud.call));
  const before = { ...made, values: { ...made.values, status: "attached" } };
  const changed = await cloud.run(
    engine.update(cloud.session, volume, before, inputs({ description: "more" }), cloud.call),
  );
  expect(changed.values).toMatchObject({ description: "more", status: "attached" });
  const read = await cloud.run(engine.read(cloud.session, volume, changed, cloud.call));
  expect(read?.values.status).toBe("available");
});
