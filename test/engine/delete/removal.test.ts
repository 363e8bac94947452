import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { openBuckets } from "../../support/bucket-world.ts";
import { failure, live, requests, resource } from "../../support/cloud.ts";

test("a bucket is deleted after its object in one run, even if its listing shows the object for longer than the wait for other objects", async () => {
  const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const { cloud, make, remove } = openBuckets({}, pair);
  const state = await make({ name: "data", forceDestroy: false });
  const bucketId = String(state.id);
  const file = await cloud.run(cloud.create("object", { bucketId, key: "a", content: "a" }));
  const before = cloud.elapsed();
  await failure(remove(state));
  expect(cloud.elapsed() - before).toBeLessThan(60_000);
  cloud.emulator.configure({ listingLagMs: 100_000 });
  await cloud.run(cloud.session.ports.clock.sleep(100_000));
  await cloud.run(engine.delete(cloud.session, resource("object"), file, cloud.call));
  await remove(state);
  expect([live(cloud, "bucket"), requests(cloud, "delete_bucket").length]).toEqual([[], 1]);
});
