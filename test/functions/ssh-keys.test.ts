import { expect, test } from "@jest/globals";
import { sshKeys } from "../../functions/ssh-keys.ts";
import { ConfigError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, openCloud, requests } from "../support/cloud.ts";

const customerId = "00000000-0000-4000-8000-000000000000";
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ ops@cloud.example";

const find = (cloud: Cloud, written: Values = {}) =>
  cloud.run(engine.lookup(cloud.session, sshKeys, written, cloud.call));
const namesIn = ({ sshKeys }: Values) => (sshKeys as Values[]).map(({ name }) => name).toSorted();

async function withKeys(count: number, cloud = openCloud({}, { customerId })) {
  for (let at = 0; at < count; at++)
    await cloud.run(cloud.create("ssh-key", { name: `key-${at}`, publicKey }));
  return cloud;
}

test("all keys of a region are listed, page by page, including those of the catalogue", async () => {
  const cloud = await withKeys(23);
  const names = Array.from({ length: 23 }, (_, at) => `key-${at}`);
  expect(namesIn(await find(cloud))).toEqual([...names, "demo-key"].toSorted());
  expect(await find(cloud, { name: "key-7" })).toEqual({
    sshKeys: [
      { id: expect.stringMatching(/^[\da-f-]{36}$/), name: "key-7", publicKey, krn: expect.any(String) },
    ],
    region: "In-Bangalore-1",
  });
  expect(namesIn(await find(cloud, { region: "In-Hyderabad-1" }))).toEqual(["demo-key"]);
});

test("the required customer id comes from one listing of the region", async () => {
  const cloud = await withKeys(1, openCloud());
  await cloud.run(cloud.create("vpc", { name: "net" }));
  const other = cloud.reopen();
  const work = () => cloud.run(engine.lookup(other, sshKeys, {}, cloud.call));
  const before = requests(cloud, "get_vpc_list").length;
  expect(namesIn(await work())).toEqual(["demo-key", "key-0"]);
  await work();
  expect(requests(cloud, "get_vpc_list")).toHaveLength(before + 1);
});

test("if no response has the customer id, the error names the setting", async () => {
  await expect(find(openCloud())).rejects.toThrow(
    new ConfigError([
      {
        path: ["customerId"],
        problem: wording`is required to list SSH keys: set ${attribute("customerId")} (or SERVICE_CUSTOMER_ID), the fifth part of any full KRN`,
      },
    ]),
  );
});
