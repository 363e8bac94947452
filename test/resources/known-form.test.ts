import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, resource } from "../support/cloud.ts";

/** Tests forms of responses about which published clients and the documents disagree (docs/contract.md#16). */

const open = (assume: EmulatorOptions["assume"]) => openCloud({ assume }, { accountId: "000000000000" });
const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };

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

test("a volume whose size is listed as the text Size is created, and planned without a change", async () => {
  const cloud = open({ volumeSpelling: "alias" });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const written = {
    vpcId: vpc.id ?? "",
    name: "disk",
    sizeGb: 20,
    volumeType: "ssd",
    availabilityZone: "nova",
  };
  const state = await cloud.run(cloud.create("volume", written));
  expect(state.values.sizeGb).toBe(20);
  const volume = resource("volume");
  const { inputs } = engine.check(volume, written);
  expect(engine.plan(volume, state, inputs, cloud.session).action).toBe("none");
});

test("a VPC whose task has one status is created with its first subnet", async () => {
  const cloud = open({ vpcTaskShape: "flat" });
  const state = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet }));
  expect(live(cloud, "vpc").map(({ krn }) => krn)).toEqual([state.id]);
  expect(state.values.primarySubnet).toMatchObject(primarySubnet);
});

test("the error of a VPC whose task has one status and fails has the reason of the API", async () => {
  const cloud = open({ vpcTaskShape: "flat" });
  const failed = await cloud.run(failure(cloud.create("vpc", { name: "net-fails", primarySubnet })));
  expect(explain(failed).detail).toContain("The API reports: ");
});
