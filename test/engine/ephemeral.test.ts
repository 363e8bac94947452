import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, live, openCloud } from "../support/cloud.ts";

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

test("a session of another key is opened, renewed and ended; one of the provider's key is rejected", async () => {
  const { cloud, lease } = await open();
  const made = await cloud.run(cloud.create("access-key", { name: "other" }));
  const pair = { accessKey: String(made.id), secretKey: String(reveal(made.values.secretKey ?? null)) };
  const { values, lease: kept } = await lease("object-session", pair);
  expect(values.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(kept?.renewAt).toBeGreaterThan(cloud.session.ports.clock.wall());
  if (kept === undefined) throw new Error("no lease");
  const ephemeral = named(ephemerals, "object-session");
  const renewed = await cloud.run(engine.renew(cloud.session, ephemeral, kept, cloud.call));
  await cloud.run(engine.close(cloud.session, ephemeral, renewed, cloud.call));
  await cloud.run(engine.close(cloud.session, ephemeral, renewed, cloud.call));
  expect(live(cloud, "object_session")).toEqual([]);
  await expect(
    lease("object-session", { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" }),
  ).rejects.toThrow(
    "accessKey: is that of the provider, and an access key has one session at a time: use another access key",
  );
});
