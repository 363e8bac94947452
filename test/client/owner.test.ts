import { expect, test } from "@jest/globals";
import { createOwner } from "../../provider/client/owner.ts";
import type { WireRequest } from "../../provider/platform/ports.ts";

const uuid = "0b6d5a5e-5a3c-4f6e-9a51-6d1a4c9c2f10";
const other = "11111111-2222-4333-8444-555555555555";
const nothing = { accountId: undefined, customerId: undefined };
const asking = (url = "http://cloud.example/rows", body?: string): WireRequest => ({
  method: "GET",
  url,
  headers: {},
  ...(body === undefined ? {} : { body }),
});
const vpc = (account: string, customer: string, id = "3") =>
  `krn:vpc:In-Bangalore-1:${account}:${customer}:vpc:${id}`;

test("account and customer come from the first full KRN in a response, except KRNs of images", () => {
  const owner = createOwner(nothing);
  for (const answer of [
    "",
    "[]",
    `{"id":"${other}"}`,
    '{"krn":"krn:vm:In-Bangalore-1:default:default:image:3"}',
    `{"krn":"krn:vm:In-Bangalore-1:7:${other}:image:3"}`,
    `{"description":"${vpc("7", other)}","tags":{"peer":"${vpc("7", other)}"}}`,
    JSON.stringify({ description: `{"krn":"${vpc("7", other)}"}` }),
  ])
    owner.learn(answer, asking());
  expect([owner.account(), owner.customer()]).toEqual([undefined, undefined]);
  owner.learn(`{"krn":"${vpc("1", "***")}"}`, asking());
  expect([owner.account(), owner.customer()]).toEqual(["1", undefined]);
  owner.learn(`{"rows":[{"krn":"${vpc("1", uuid)}"}]}`, asking());
  expect([owner.account(), owner.customer()]).toEqual(["1", uuid]);
});

test("without a configured account, rows of two accounts leave it unknown, in any order", () => {
  for (const rows of [
    ["1", "2"],
    ["2", "1"],
  ]) {
    const owner = createOwner(nothing);
    for (const account of rows) owner.learn(`{"krn":"${vpc(account, uuid)}"}`, asking());
    expect(owner.account()).toBeUndefined();
  }
});

test("a first row of another account does not override the configured account that a later row shows", () => {
  const owner = createOwner({ accountId: "7", customerId: undefined });
  owner.learn(`{"rows":[{"krn":"${vpc("2", other)}"}]}`, asking());
  expect([owner.account(), owner.isDisputed()]).toEqual(["2", true]);
  owner.learn(`{"rows":[{"krn":"${vpc("2", other, "4")}"},{"krn":"${vpc("7", uuid)}"}]}`, asking());
  expect([owner.account(), owner.isDisputed(), owner.customer()]).toEqual(["7", false, uuid]);
});

test("an id whose start was seen before is not overlooked if it belongs to another account or customer", () => {
  const owner = createOwner(nothing);
  const show = (...ids: string[]) => owner.learn(JSON.stringify(ids.map((krn) => ({ krn }))), asking());
  show(vpc("1", "***"), vpc("1", "***", "4"), vpc("1", "***", "5"));
  expect([owner.account(), owner.customer()]).toEqual(["1", undefined]);
  show(vpc("1", "***", "6"), vpc("1", uuid, "6"));
  expect([owner.account(), owner.customer()]).toEqual(["1", uuid]);
  show(vpc("1", uuid, "7"), vpc("12", uuid, "8"));
  expect(owner.account()).toBeUndefined();
});

test("the compact layout shows the account", () => {
  const owner = createOwner(nothing);
  owner.learn('{"krn":"krn:vpc:net:In-Bangalore-1:42:subnet/3"}', asking());
  expect([owner.account(), owner.customer()]).toEqual(["42", undefined]);
});

test("ids of the request are ignored: a response also quotes those of another account", () => {
  const owner = createOwner(nothing);
  const id = vpc("1", uuid);
  const query = new URLSearchParams({ vpc: id });
  owner.learn(`{"vpc_id":"${id}","rows":[]}`, asking(`http://cloud.example/rows?${query}`));
  owner.learn(`{"vpc_id":"${id}","rows":[]}`, asking(undefined, JSON.stringify({ id })));
  expect([owner.account(), owner.customer()]).toEqual([undefined, undefined]);
});

test("a configured customer stays, and the account of a row replaces a configured one", () => {
  const owner = createOwner({ accountId: "7", customerId: uuid });
  expect(owner.account()).toBe("7");
  owner.learn(`{"krn":"${vpc("1", other)}"}`, asking());
  expect([owner.account(), owner.customer()]).toEqual(["1", uuid]);
  for (const accountId of ["emulator-key", "7-key"])
    expect(createOwner({ accountId, customerId: undefined }).account()).toBeUndefined();
});
