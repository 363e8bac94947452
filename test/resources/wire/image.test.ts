import { expect, test } from "@jest/globals";
import { images } from "../../../functions/images.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { openNetwork } from "../../support/instance-world.ts";

test("a lookup of images also returns public ones", async () => {
  const { cloud, create } = await openNetwork();
  const instanceId = String((await cloud.run(create())).id);
  await cloud.run(cloud.create("image", { name: "golden", instanceId }));
  const answer = await cloud.run(engine.lookup(cloud.reopen(), images, {}, cloud.call));
  expect((answer.images as { name: string }[]).map(({ name }) => name)).toContain("golden");
  expect(answer.images as unknown[]).toHaveLength(3);
});
