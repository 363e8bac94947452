import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, live, openCloud, requests } from "../support/cloud.ts";

const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
  const found = all.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

async function open(options: EmulatorOptions = {}, between: Between = {}) {
  const keys = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const cloud = openCloud(options, { accountId: "000000000000", ...keys }, between);
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const { session, call } = cloud;
  return {
    cloud,
    bucketId,
    put: (key: string, content: string) => cloud.run(cloud.create("object", { bucketId, key, content })),
    ask: (name: string, written: Values) =>
      cloud.run(engine.lookup(session, named(lookups, name), written, call)),
    act: (name: string, written: Values) =>
      cloud.run(engine.invoke(session, named(actions, name), { bucketId, ...written }, call)),
    lease: (name: string, written: Values) =>
      cloud.run(engine.open(session, named(ephemerals, name), written, call)),
    keys: () => live(cloud, "object").map(({ name }) => name),
  };
}

test("buckets are searched by a part of their names", async () => {
  const { cloud, ask } = await open();
  await cloud.run(cloud.create("bucket", { name: "logs" }));
  await cloud.run(cloud.create("bucket", { name: "data-far", region: "In-Hyderabad-1" }));
  const { buckets } = await ask("buckets", { search: "dat" });
  expect((buckets as Values[]).map(({ name }) => name)).toEqual(["data"]);
  expect(requests(cloud, "list_buckets").at(-1)?.query).toMatchObject({
    name_filter: "dat",
    refresh: "true",
  });
});
