import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, accountHeader as headers, makeBucket, refusal, textAt } from "../client.ts";

const list = "GET /kos/v1/buckets";
const create = "POST /kos/v1/buckets";
const path = (id: string) => `/kos/v1/buckets/${id}`;

const names = async (emulator: Cloud, query = "") =>
  (at((await emulator.call(`${list}${query}`, { headers })).body, "items") as { name: string }[]).map(
    ({ name }) => name,
  );

test("a bucket is created, read, changed and deleted with a one-time password", async () => {
  const emulator = cloud();
  const made = await emulator.call(create, {
    headers: { ...headers, "x-region-id": "In-Hyderabad-1", "x-tier": "tier-2" },
    body: { name: "data", description: "never shown", tags: { team: "a" }, versioning: true },
  });
  const krn = textAt(made.body, "krn");
  const createdAt = "2026-01-01T00:00:00.000Z";
  expect([made.status, made.body]).toEqual([201, { krn, bucketName: "data", createdAt }]);
  const shown = {
    name: "data",
    krnid: krn,
    createdAt,
    tags: { team: "a" },
    versioning: true,
    anonymous_access: false,
    region: "In-Hyderabad-1",
    tier: "tier-2",
  };
  const read = async () => (await emulator.call(`GET ${path(krn)}`, { headers })).body;
  expect(await read()).toEqual({ ...shown, owner: "000000000000" });
  const body = { tags: {}, versioning: false, anonymous_access: true };
  const changed = await emulator.call(`PUT ${path(krn)}`, { headers, body });
  expect(changed.body).toMatchObject({ ...shown, ...body });
  expect(await read()).toEqual(changed.body);
  const deleted = await emulator.call(`DELETE ${path(krn)}`, { headers, body: { otp: emulator.password() } });
  expect([deleted.status, deleted.body]).toEqual([204, undefined]);
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers })).toEqual([404, `bucket ${krn} not found`]);
  expect(emulator.inventory.list()).toEqual([]);
});

test("the list returns paging and URL, and accepts a page, a size, a search text and a refresh flag", async () => {
  const emulator = cloud({ assume: { bucketListCachedMs: 5_000 } });
  for (const name of ["logs-1", "logs-2", "data"]) await makeBucket(emulator, name);
  expect(await names(emulator)).toEqual([]);
  const { body } = await emulator.call(`${list}?page=2&page_size=1&name_filter=logs&refresh=true`, {
    headers,
  });
  expect(body).toMatchObject({ totalItems: 2, totalPages: 2, currentPage: 2 });
  expect(body).not.toHaveProperty("nextPage");
  expect(at(body, "items.0")).toMatchObject({ name: "logs-2", url: "https://logs-2.object.example" });
  expect(at(body, "items.0")).not.toHaveProperty("owner");
  const first = await emulator.call(`${list}?page_size=1&refresh=true`, { headers });
  expect(first.body).toMatchObject({ totalItems: 3, currentPage: 1, nextPage: 2 });
  await emulator.clock.advance(5_000);
  expect(await names(emulator)).toEqual(["logs-1", "logs-2", "data"]);
});

test("with a switch, the list has other field names, or is a bare array", async () => {
  const other = cloud({ assume: { bucketListNames: "others", bucketPageDefault: 1 } });
  for (const name of ["one", "two"]) await makeBucket(other, name);
  expect(await names(other, "?page=2&name_filter=two")).toEqual(["one"]);
  other.configure({ assume: { bucketListShape: "array" } });
  expect((await other.call(list, { headers })).body).toMatchObject([{ name: "one" }, { name: "two" }]);
});

test.each([
  [{ name: "data" }, 409, "bucket data already exists"],
  [{ bucketName: "data" }, 409, "bucket data already exists"],
  [{ name: "Data" }, 422, "name: must be 3 to 63 lower-case letters, digits, dots and hyphens"],
  [{ name: "ab" }, 422, "name: must be 3 to 63 lower-case letters, digits, dots and hyphens"],
  [{ name: "a-error-503" }, 503, "refused because of the name a-error-503"],
  [{}, 400, "name: required"],
  [{ name: "other", colour: "red" }, 400, 'colour: unknown field "colour"'],
  [{ name: "other", tags: { team: 1 } }, 400, "tags.team: must be of type string"],
])("a create of %j is rejected", async (body, status, message) => {
  const emulator = cloud();
  await makeBucket(emulator, "data", { region: "In-Hyderabad-1" });
  expect(await refusal(emulator, create, { headers, body })).toEqual([status, message]);
});

test("without an account, every request is rejected unless a switch allows it; another account is rejected", async () => {
  const emulator = cloud();
  expect(await refusal(emulator, list)).toEqual([400, "header x-account-id: required"]);
  const other = { headers: { "x-account-id": "1" } };
  expect(await refusal(emulator, list, other)).toEqual([
    401,
    "header x-account-id: not the account of the credential",
  ]);
  // The request samples of the interface documents have the credential in this header.
  expect((await emulator.call(list, { headers: { "x-account-id": "emulator-key" } })).status).toBe(200);
  emulator.configure({ assume: { accountHeader: "optional", regions: ["In-Bangalore-1"] } });
  expect((await emulator.call(list)).status).toBe(200);
  expect(await refusal(emulator, list, { headers: { "x-region-id": "Mars" } })).toEqual([
    404,
    "header x-region-id: no region Mars; there are In-Bangalore-1",
  ]);
});

test("a bucket is also found by its name, but not in another region or without a required tier", async () => {
  const emulator = cloud({ assume: { bucketNames: "any" } });
  const krn = await makeBucket(emulator, "Data");
  expect((await emulator.call(`GET ${path("Data")}`, { headers })).body).toMatchObject({ krnid: krn });
  const elsewhere = { headers: { ...headers, "x-region-id": "In-Hyderabad-1" }, body: {} };
  expect((await refusal(emulator, `PUT ${path(krn)}`, elsewhere))[0]).toBe(404);
  emulator.configure({ assume: { tierHeader: "required" } });
  expect(await refusal(emulator, `PUT ${path(krn)}`, { headers, body: {} })).toEqual([
    400,
    "header x-tier: required",
  ]);
});

test("a one-time password is valid once, for a limited time, and is consumed by any attempt", async () => {
  const emulator = cloud({ otpMs: 60_000 });
  const krn = await makeBucket(emulator);
  const attempt = (otp?: string) =>
    refusal(emulator, `DELETE ${path(krn)}`, { headers, body: otp === undefined ? {} : { otp } });
  expect(await attempt()).toEqual([400, "otp: required"]);
  expect(await attempt("12345678")).toEqual([401, "otp: it is wrong"]);
  const late = emulator.password();
  await emulator.clock.advance(60_000);
  expect(await attempt(late)).toEqual([401, "otp: it has expired"]);
  const spent = emulator.password();
  const missing = await refusal(emulator, `DELETE ${path("none")}`, { headers, body: { otp: spent } });
  expect(missing).toEqual([404, "bucket none not found"]);
  expect((await emulator.call(`DELETE ${path(krn)}`, { headers, body: { otp: spent } })).status).toBe(204);
  emulator.configure({ assume: { wrongOtp: 403 } });
  await makeBucket(emulator, "more");
  const again = { headers, body: { otp: spent } };
  expect(await refusal(emulator, `DELETE ${path("more")}`, again)).toEqual([403, "otp: it was used"]);
});

test("with a switch, a delete needs no password and no body", async () => {
  const emulator = cloud({ assume: { otpRequired: false } });
  await makeBucket(emulator);
  expect((await emulator.call(`DELETE ${path("data")}`, { headers })).status).toBe(204);
});

test("passwords come from a route, and are printed if requested, so that there is always a valid one", async () => {
  const seen: string[] = [];
  const emulator = cloud({ showPassword: (password) => seen.push(password) });
  await makeBucket(emulator);
  const { status, body } = await emulator.call("POST /_emulator/otp");
  expect([status, [String(body)]]).toEqual([201, seen]);
  const otp = seen[0];
  expect((await emulator.call(`DELETE ${path("data")}`, { headers, body: { otp } })).status).toBe(204);
  expect(seen).toHaveLength(2);
  expect(JSON.stringify(emulator.log.entries())).not.toContain(otp);
});

test("a bucket with an object is not deleted, and its policy and rules are deleted with it", async () => {
  const emulator = cloud();
  const krn = await makeBucket(emulator);
  await emulator.call(`POST /kos/v1/buckets/policy/${krn}`, {
    headers,
    body: { s3_read_write_ips: [], s3_read_only_ips: [] },
  });
  const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const session = await emulator.call("POST /kos/v1/sessions/activate", { headers, body: pair });
  const working = { ...headers, "x-session-token": textAt(session.body, "sessionToken") };
  const slot = await emulator.call(`PUT ${path(krn)}/objects`, { headers: working, body: { prefix: "a" } });
  await emulator.fetch(textAt(slot.body, "preSignedUrl"), { method: "PUT", body: "a" });
  const attempt = () => ({ headers, body: { otp: emulator.password() } });
  expect(await refusal(emulator, `DELETE ${path(krn)}`, attempt())).toEqual([
    409,
    "bucket data is not empty: it has 1 objects",
  ]);
  await emulator.call(`POST ${path(krn)}/objects/delete`, { headers: working, body: { objectkey: "a" } });
  expect((await emulator.call(`DELETE ${path(krn)}`, attempt())).status).toBe(204);
  expect(emulator.inventory.list().filter(({ kind }) => kind.startsWith("bucket"))).toEqual([]);
});
