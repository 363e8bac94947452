import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, openCloud, resource } from "../../support/cloud.ts";

const volume = resource("volume");

test("a volume whose create was stopped is not protected yet, and can be deleted", async () => {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  cloud.emulator.configure({ taskMs: 60_000 });
  const written = {
    vpcId: String(vpc.id),
    name: "data",
    sizeGb: 10,
    volumeType: "ssd",
    deletionProtection: true,
  };
  const { inputs } = engine.check(volume, written);
  const stop = new AbortController();
  const call = { ...cloud.call, stop: stop.signal, report: () => stop.abort() };
  const state = kept(await cloud.run(failure(engine.create(cloud.session, volume, inputs, call))));
  expect([live(cloud, "volume").length, state.values.deletionProtection]).toEqual([1, null]);
  await cloud.run(engine.delete(cloud.session, volume, state, cloud.call));
  expect(live(cloud, "volume")).toEqual([]);
});
