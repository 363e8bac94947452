import { expect, test } from "@jest/globals";
import { at, cloud, publicKey, refusal, region, textAt } from "../client.ts";

const create = "POST /v2/sshkeys";
const search = "GET /v2/sshkeys/search";
const customer = "00000000-0000-4000-8000-000000000000";
const catalogueKey = {
  _id: `krn:ssh:${region}:000000000000:${customer}:sshkey:00000000-0000-4000-8000-000000000301`,
  uuid: "00000000-0000-4000-8000-000000000301",
  keyName: "demo-key",
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo",
  region,
};
const key = (keyName = "mine") => ({ body: { keyName, publicKey } });
const names = (body: unknown) => (at(body, "sshKeys") as { keyName: string }[]).map(({ keyName }) => keyName);

test("an SSH key exists immediately, is found by name, and is deleted immediately", async () => {
  const emulator = cloud();
  const made = await emulator.call(create, key());
  const uuid = textAt(made.body, "uuid");
  const row = {
    _id: `krn:ssh:${region}:000000000000:${customer}:sshkey:${uuid}`,
    uuid,
    keyName: "mine",
    publicKey,
    region,
  };
  expect([made.status, made.body]).toEqual([201, row]);
  expect((await emulator.call(`${search}?keyName=mine`)).body).toEqual({ sshKeys: [row] });
  const gone = await emulator.call(`DELETE /v2/sshkeys/${uuid}`);
  expect([gone.status, gone.body]).toEqual([204, undefined]);
  expect((await emulator.call(`${search}?keyName=mine`)).body).toEqual({ sshKeys: [] });
  expect(await refusal(emulator, `DELETE /v2/sshkeys/${uuid}`)).toEqual([404, `SSH key ${uuid} not found`]);
});

test("the search finds by a part of the name, and without a name everything", async () => {
  const emulator = cloud();
  for (const name of ["mine", "not-mine", "other"]) await emulator.call(create, key(name));
  expect(names((await emulator.call(`${search}?keyName=mine`)).body)).toEqual(["mine", "not-mine"]);
  expect(names((await emulator.call(search)).body)).toEqual(["demo-key", "mine", "not-mine", "other"]);
});

test("every region has the catalogue's key, which is not in the inventory and cannot be deleted", async () => {
  const emulator = cloud();
  expect((await emulator.call(search)).body).toEqual({ sshKeys: [catalogueKey] });
  expect(emulator.inventory.list()).toEqual([]);
  expect(await refusal(emulator, `DELETE /v2/sshkeys/${catalogueKey.uuid}`)).toEqual([
    403,
    "SSH key demo-key belongs to the catalogue",
  ]);
  expect(await refusal(emulator, create, key("demo-key"))).toEqual([409, "SSH key demo-key already exists"]);
});

test("a name is unique in its region", async () => {
  const emulator = cloud();
  await emulator.call(create, key());
  expect(await refusal(emulator, create, key())).toEqual([409, "SSH key mine already exists"]);
  const elsewhere = { ...key(), headers: { "x-region": "In-Hyderabad-1" } };
  expect((await emulator.call(create, elsewhere)).status).toBe(201);
});

test("a key is found and deleted in its own region only; a search without a region covers every region", async () => {
  const emulator = cloud();
  const made = await emulator.call(create, key());
  const headers = { "x-region": "In-Hyderabad-1" };
  expect(names((await emulator.call(search, { headers })).body)).toEqual(["demo-key"]);
  expect(names((await emulator.call(search, { headers: { "x-region": "" } })).body)).toEqual(["mine"]);
  const uuid = textAt(made.body, "uuid");
  expect(await refusal(emulator, `DELETE /v2/sshkeys/${uuid}`, { headers })).toEqual([
    404,
    `SSH key ${uuid} not found`,
  ]);
});

test("a key is deleted by its bare UUID, not by its KRN", async () => {
  const emulator = cloud();
  const made = await emulator.call(create, key());
  expect(await refusal(emulator, `DELETE /v2/sshkeys/${textAt(made.body, "_id")}`)).toEqual([
    400,
    "uuid: must be the bare UUID, not a KRN",
  ]);
});

test("the list of a customer comes in pages, the newest first unless asked otherwise", async () => {
  const emulator = cloud();
  for (const name of ["one", "two", "three"]) await emulator.call(create, key(name));
  const list = async (query: string) =>
    names((await emulator.call(`GET /v2/sshkeys/${customer}${query}`)).body);
  expect(await list("")).toEqual(["three", "two", "one", "demo-key"]);
  expect(await list("?sortBy=createdAt&sortOrder=asc&page=2&limit=3")).toEqual(["three"]);
});

test("a given customer must be that of the account", async () => {
  const emulator = cloud();
  const headers = { "k-customer-id": "other" };
  const refused = [403, "header k-customer-id: another account's"];
  expect(await refusal(emulator, create, { ...key(), headers })).toEqual(refused);
  expect(await refusal(emulator, "GET /v2/sshkeys/other")).toEqual(refused);
  expect((await emulator.call(create, { ...key(), headers: { "k-customer-id": customer } })).status).toBe(
    201,
  );
});

test("the customer is required if a switch is set", async () => {
  const emulator = cloud({ assume: { sshKeyNeedsCustomer: true } });
  expect(await refusal(emulator, create, key())).toEqual([400, "header k-customer-id: required"]);
  expect((await emulator.call(create, { ...key(), headers: { "k-customer-id": customer } })).status).toBe(
    201,
  );
});

test.each([
  ["no name", { publicKey }, "keyName: required"],
  ["no key", { keyName: "mine" }, "publicKey: required"],
  [
    "something else for a key",
    { keyName: "mine", publicKey: "-----BEGIN OPENSSH PRIVATE KEY-----" },
    "publicKey: must be an OpenSSH public key such as ssh-ed25519 AAAA...",
  ],
  ["an unknown field", { keyName: "mine", publicKey, name: "x" }, 'name: unknown field "name"'],
])("a key with %s is a 400 that names it", async (_, body, message) => {
  expect(await refusal(cloud(), create, { body })).toEqual([400, message]);
});

test("the search lags behind like every listing", async () => {
  const emulator = cloud({ listingLagMs: 1000 });
  await emulator.call(create, key());
  expect(names((await emulator.call(`${search}?keyName=mine`)).body)).toEqual([]);
  await emulator.clock.advance(1000);
  expect(names((await emulator.call(`${search}?keyName=mine`)).body)).toEqual(["mine"]);
});
