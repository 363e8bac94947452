import { expect, test } from "@jest/globals";
import { listAgain, listRows, type Requests, readObject, reasonOf } from "../../account/request.ts";
import { InputError } from "../../provider/core/error.ts";
import { type Listed, readOnly } from "../../provider/engine/engine.ts";
import { resource, settle } from "../support/cloud.ts";
import { openAccount, shop } from "./account.ts";

/** Opens an account with a VPC and a template, and the requests of an inventory with a journal. */
async function open() {
  const { cloud } = await openAccount(
    shop
      .filter(({ name }) => ["shop", "back", "staff", "worker"].includes(name))
      .map((item) => ({
        ...item,
        inputs: { ...item.inputs, ...(item.name === "worker" && { userData: "secret-user-data" }) },
      })),
  );
  await settle(cloud);
  const results = new Map<string, unknown>();
  const requests: Requests = {
    session: readOnly(cloud.reopen()),
    stop: cloud.call.stop,
    journal: { get: (key) => results.get(key), put: (key, result) => results.set(key, result) },
  };
  const sent = () => cloud.emulator.log.entries().length;
  const place = (kind: string) => ({ resource: resource(kind), scope: {} });
  const rows = (kind: string) => cloud.run(listRows(requests, place(kind)));
  const read = (kind: string, row: Listed) => cloud.run(readObject(requests, place(kind), row));
  return { cloud, results, requests, sent, place, rows, read };
}

const named = (rows: readonly Listed[], name: string): Listed => {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
};

test("a listing and a read are requests once, and results of the journal then", async () => {
  const { rows, read, sent } = await open();
  const vpc = named(await rows("vpc"), "shop");
  const first = await read("vpc", vpc);
  expect(first).toMatchObject({ state: { id: vpc.id, values: { name: "shop" } } });
  const before = sent();
  expect([named(await rows("vpc"), "shop"), await read("vpc", vpc), sent()]).toEqual([vpc, first, before]);
});

test("a result with a secret, such as the user data of a template, is not in the journal", async () => {
  const { rows, read, results } = await open();
  const template = named(await rows("instance-template"), "worker");
  const first = await read("instance-template", template);
  expect(JSON.stringify(first)).toContain(btoa("secret-user-data"));
  expect([...results.keys()].filter((key) => key.startsWith('["read"'))).toEqual([]);
});

test("an object that a new listing does not show was deleted; a listing that fails leaves that open", async () => {
  const { cloud, rows, read, requests, place } = await open();
  const vpc = named(await rows("vpc"), "shop");
  cloud.emulator.inventory.remove(vpc.id);
  expect(await read("vpc", vpc)).toEqual({
    reason: "it was deleted while the account was read",
    isIncomplete: false,
  });
  cloud.emulator.faults.add({ target: "get_vpc_list", kind: "403" });
  expect(await cloud.run(listAgain(requests, place("vpc")))).toBeUndefined();
  expect(await read("vpc", vpc)).toMatchObject({ isIncomplete: true });
});

test("an error of the program is no reason of a gap", () => {
  expect(reasonOf(new InputError([{ path: [], problem: "the ID is empty." }]))).toMatch(/the ID is empty$/);
  expect(() => reasonOf(new TypeError("undefined"))).toThrow("undefined");
});
