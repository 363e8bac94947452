import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { openCloud, resource } from "../../support/cloud.ts";
import { rewriting, runLifecycle, type World } from "../existence/full-lifecycle.ts";

/** Transport wrapper for the compact layout of ids, whose last part is `<type>/<uuid>` (docs/contract.md#1.4). */
const compact = rewriting(
  (body) => body.replace(/krn:(\w+):([\w-]+):(\w+):[\w-]+:(\w+):([\da-f-]{36})/g, "krn:$1:net:$2:$3:$4/$5"),
  (text) =>
    text.replace(
      /krn(:|%3A)(\w+)\1net\1([\w-]+)\1(\w+)\1(\w+)(?:\/|%2F)([\da-f-]{36})/g,
      "krn$1$2$1$3$1$4$1" + "00000000-0000-4000-8000-000000000000" + "$1$5$1$6",
    ),
);

test("ids whose last part has a slash are sent as one path segment", async () => {
  const cloud = openCloud({ taskMs: 0 }, {}, compact);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect(vpc.id).toMatch(/:vpc\/[\da-f-]{36}$/);
  const vpcId = String(vpc.id);
  const world: World = { cloud, kinds: {} };
  await runLifecycle(world, "volume", { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" });
  await runLifecycle(world, "subnet", { vpcId, name: "a", cidr: "10.0.0.0/20" });
  await runLifecycle(world, "security-group", { vpcId, name: "web" });
  await cloud.run(engine.delete(cloud.session, resource("vpc"), vpc, cloud.call));
});
