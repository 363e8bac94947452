import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { resource } from "../../support/cloud.ts";
import { openLifecycle } from "../../support/lifecycle-world.ts";
import { replacing, world } from "../existence/respelled.ts";

test("a listing that spells the region of ids otherwise changes no object and no state", async () => {
  const lower = (body: string) => body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:");
  const { cloud, vpc, volume, read } = await world(lower);
  // Only the listing shows the volume.
  cloud.emulator.faults.add({ target: "get_volume", kind: "404", times: 99 });
  for (const [kind, state] of [
    ["vpc", vpc],
    ["volume", volume],
  ] as const) {
    const seen = await cloud.run(read(kind, state));
    expect(seen).toEqual({ ...state, createdAt: undefined });
  }
  expect(cloud.warnings).toEqual([]);
});

test("an update without a change keeps the recorded spelling of ids", async () => {
  const lower = (body: string) => body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:");
  const { cloud, vpc } = await world(lower);
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  const unfinished = { ...vpc, values: { ...vpc.values, status: "creating" } };
  for (const prior of [vpc, unfinished]) {
    const update = engine.update(cloud.reopen(), resource("vpc"), prior, inputs, cloud.call);
    expect((await cloud.run(update)).values).toEqual(vpc.values);
  }
});

test("the instances of a batch are recorded ones in any spelling, while rows omit their job", async () => {
  let isChanged = false;
  const spell = (body: string) =>
    isChanged
      ? body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:").replaceAll('"batch_id"', '"job"')
      : body;
  const { cloud, state } = await openLifecycle("instance-batch", {}, {}, { wrap: replacing(spell) });
  isChanged = true;
  const call = { ...state, createdAt: undefined };
  const seen = await cloud.run(engine.read(cloud.reopen({}), resource("instance-batch"), call, cloud.call));
  expect(seen?.values.instances).toEqual(state.values.instances);
  expect(cloud.warnings).toEqual([]);
});
