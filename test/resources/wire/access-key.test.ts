import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { openCloud, resource } from "../../support/cloud.ts";

const open = (assume: EmulatorOptions["assume"]) => openCloud({ assume }, { accountId: "000000000000" });

test("an access key listed as access_key_id with created_at is found, and read with its time", async () => {
  const cloud = open({ accessKeySpelling: "client" });
  const state = await cloud.run(cloud.create("access-key", { name: "backup" }));
  expect(state.values.createdAt).toMatch(/^2026-01-01T/);
  const read = engine.read(cloud.reopen(), resource("access-key"), state, cloud.call);
  expect(await cloud.run(read)).toEqual(state);
  expect(cloud.warnings).toEqual([]);
});

test("an access key listed under another spelling of its region is found, and one of another region is not", async () => {
  const cloud = open({ accessKeyRegion: "lower-case" });
  const state = await cloud.run(cloud.create("access-key", { name: "backup" }));
  await cloud.run(cloud.create("access-key", { name: "other", region: "In-Hyderabad-1" }));
  const key = resource("access-key");
  expect(await cloud.run(engine.read(cloud.reopen(), key, state, cloud.call))).toEqual(state);
  const listed = await cloud.run(engine.list(cloud.reopen(), key, {}, cloud.call));
  expect(listed.map(({ id, region }) => [id, region])).toEqual([[state.id, "In-Bangalore-1"]]);
});
