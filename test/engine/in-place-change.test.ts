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
