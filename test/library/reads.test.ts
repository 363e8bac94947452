import { expect, test } from "@jest/globals";
import { readsOf } from "../../library/reads.ts";
import { openClient } from "../../provider/client/client.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import { openCallCloud, settings } from "../call/call-cloud.ts";

const open = () => {
  const opened = openCallCloud();
  const client = openClient(gatherSettings({}, settings), opened.cloud.session.ports, () => {}, "client");
  return { ...opened, reads: readsOf(client, {}) };
};

test("a read has the arguments that its operation has", async () => {
  const { reads, sent, cloud } = open();
  const found = await cloud.run(reads.one("list_disk_formats", { region: "In-Hyderabad-1", vpcId: "v" }));
  expect(found).toBeDefined();
  expect(sent.at(-1)?.url).not.toMatch(/Hyderabad|v$/);
});

test("a listing is read to its last page", async () => {
  const { reads, cloud, sent } = open();
  expect(await cloud.run(reads.rows("get_vpc_list", {}))).toEqual([]);
  const { length } = sent;
  const rows = await cloud.run(reads.rows("search_vpc", { size: 1 }));
  expect(rows).toEqual([]);
  expect(sent.length).toBeGreaterThan(length);
});

test("an object that does not exist is undefined where that is expected, and an error elsewhere", async () => {
  const { reads, cloud } = open();
  expect(await cloud.run(reads.find("get_bucket", { bucketId: "none" }))).toBeUndefined();
  await expect(cloud.run(reads.one("get_bucket", { bucketId: "none" }))).rejects.toThrow(/not found/);
});

test("an operation that changes, one that does not exist, and one that is no listing are refused", async () => {
  const { reads, sent } = open();
  for (const name of ["delete_vpc", "cancel_inference_task", "none"])
    await expect(async () => reads.one(name, {})).rejects.toThrow(`${name} is no read`);
  await expect(reads.rows("get_vpc", {})).rejects.toThrow("get_vpc is no listing");
  expect(sent).toEqual([]);
});
