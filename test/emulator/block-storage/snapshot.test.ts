import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  cloud,
  makeInstance,
  makeSite,
  makeVolume,
  makeVpc,
  refusal,
  textAt,
  volumeBody,
} from "../client.ts";

const path = (krn: string) => `/kbs/v1/snapshots/${krn}`;
const create = "POST /kbs/v1/snapshots";

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const vpc = await makeVpc(emulator);
  const headers = { "k-tenant-id": vpc };
  const volume = await makeVolume(emulator, vpc);
  const body = (more: Record<string, unknown> = {}) => ({ name: "daily-1", volume_id: volume, ...more });
  return { emulator, vpc, headers, volume, body };
}

/** Creates a snapshot and returns its KRN. */
async function make(emulator: Cloud, headers: Record<string, string>, body: unknown): Promise<string> {
  const reply = await emulator.call(create, { body, headers });
  await emulator.clock.advance(1000);
  return textAt(reply.body, "snapshot.id");
}

test("a snapshot is created, read, listed, changed and deleted", async () => {
  const { emulator, vpc, headers, volume, body } = await ready();
  const reply = await emulator.call(create, { body: body({ description: "before" }), headers });
  const krn = textAt(reply.body, "snapshot.id");
  expect([reply.status, reply.body]).toEqual([202, { snapshot: { id: krn, status: "creating" } }]);
  expect(krn).toMatch(/^krn:kbs:In-Bangalore-1:0{12}:[0-9a-f-]{36}:snapshot:[0-9a-f-]{36}$/);
  const read = async () => (await emulator.call(`GET ${path(krn)}`, { headers })).body;
  expect(await read()).toMatchObject({ status: "creating" });
  await emulator.clock.advance(1000);
  expect(await read()).toEqual({
    id: krn,
    krn,
    name: "daily-1",
    description: "before",
    volume_id: volume,
    size: 10,
    volume_type: "ssd",
    status: "available",
    tenant_id: vpc,
    created_at: "2026-01-01T00:00:02.000Z",
    updated_at: "2026-01-01T00:00:02.000Z",
  });
  const change = { body: { name: "daily-2", description: "" }, headers };
  const changed = await emulator.call(`PUT ${path(krn)}`, change);
  expect([changed.status, changed.body]).toMatchObject([200, { name: "daily-2", description: "" }]);
  expect((await emulator.call("GET /kbs/v1/snapshots", { headers })).body).toMatchObject([{ krn }]);
  expect((await emulator.call(`DELETE ${path(krn)}`, { headers })).status).toBe(202);
  expect(await read()).toMatchObject({ status: "deleting" });
  await emulator.clock.advance(1000);
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers })).toEqual([
    404,
    `snapshot ${krn} not found`,
  ]);
  expect((await emulator.call("GET /kbs/v1/snapshots", { headers })).body).toEqual([]);
});

test("a snapshot create returns its id at the top level if a switch is set, and the UUID works too", async () => {
  const { emulator, headers, body } = await ready();
  emulator.configure({ assume: { volumeCreateShape: "flat" } });
  const reply = await emulator.call(create, { body: body(), headers });
  const krn = textAt(reply.body, "id");
  expect(reply.body).toEqual({ id: krn, status: "creating" });
  const uuid = krn.slice(krn.lastIndexOf(":") + 1);
  expect((await emulator.call(`GET ${path(uuid)}`, { headers })).body).toMatchObject({ krn });
});

test("a snapshot that is being created cannot be changed, deleted or used", async () => {
  const { emulator, headers, body } = await ready();
  const krn = textAt((await emulator.call(create, { body: body(), headers })).body, "snapshot.id");
  const change = { body: { name: "other" }, headers };
  expect(await refusal(emulator, `PUT ${path(krn)}`, change)).toEqual([409, "snapshot daily-1 is creating"]);
  expect(await refusal(emulator, `DELETE ${path(krn)}`, { headers })).toEqual([
    409,
    "snapshot daily-1 is creating",
  ]);
  const copy = { body: volumeBody("copy", { source: { type: "snapshot", id: krn } }), headers };
  expect(await refusal(emulator, "POST /kbs/v1/volumes", copy)).toEqual([
    409,
    "snapshot daily-1 is creating",
  ]);
});

test("a volume is created from a snapshot, and from another volume", async () => {
  const { emulator, vpc, headers, volume, body } = await ready();
  const snapshot = await make(emulator, headers, body());
  for (const source of [
    { type: "snapshot", id: snapshot },
    { type: "volume", id: volume },
  ]) {
    const krn = await makeVolume(emulator, vpc, { name: source.type, source });
    expect((await emulator.call(`GET /kbs/v1/volumes/${krn}`)).body).toMatchObject({
      state: "available",
      source,
      source_type: source.type,
      source_id: source.id,
    });
  }
});

test("a missing source, or one that is not ready, is rejected", async () => {
  const { emulator, headers } = await ready();
  const refused = (source: unknown) =>
    refusal(emulator, "POST /kbs/v1/volumes", { body: volumeBody("copy", { source }), headers });
  expect(await refused({ type: "snapshot", id: "x" })).toEqual([404, "snapshot x not found"]);
  expect(await refused({ type: "volume", id: "x" })).toEqual([404, "Unable to fetch volume"]);
  const made = await emulator.call("POST /kbs/v1/volumes", { body: volumeBody("new"), headers });
  const id = textAt(made.body, "volume.id");
  expect(await refused({ type: "volume", id })).toEqual([409, "volume new is creating"]);
});

test("a snapshot of an attached volume needs force", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site);
  const headers = { "k-tenant-id": site.vpc };
  const read = await emulator.call(`GET /v1/highlvlvpc/instance?krn=${vm}`);
  const body = { name: "boot", volume_id: at(read.body, "volume_krn") };
  expect(await refusal(emulator, create, { body, headers })).toEqual([
    409,
    "volume vm-volume is in-use; set force to copy it in this state",
  ]);
  expect((await emulator.call(create, { body: { ...body, force: true }, headers })).status).toBe(202);
});

test("a volume with snapshots is not deleted unless a switch is set", async () => {
  const { emulator, vpc, headers, volume, body } = await ready();
  const snapshot = await make(emulator, headers, body());
  expect(await refusal(emulator, `DELETE /kbs/v1/volumes/${volume}`)).toEqual([
    409,
    "volume disk has snapshots: daily-1",
  ]);
  emulator.configure({ assume: { volumeDeleteWithSnapshots: "keeps" } });
  expect((await emulator.call(`DELETE /kbs/v1/volumes/${volume}`)).status).toBe(202);
  await emulator.clock.advance(1000);
  expect((await emulator.call(`GET ${path(snapshot)}`, { headers })).status).toBe(200);
  const [code, text] = await refusal(emulator, `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`);
  expect([code, text]).toEqual([409, expect.stringContaining(snapshot)]);
});

test("the route of images also deletes a snapshot", async () => {
  const { emulator, headers, body } = await ready();
  const krn = await make(emulator, headers, body());
  const reply = await emulator.call(`DELETE /vm/v1/image/${krn}?snapshot_krn=${krn}`);
  expect(reply.status).toBe(204);
  await emulator.clock.advance(1000);
  expect((await emulator.call("GET /kbs/v1/snapshots", { headers })).body).toEqual([]);
});

test("a snapshot exists only in its tenant and its region", async () => {
  const { emulator, headers, body } = await ready();
  const krn = await make(emulator, headers, body());
  const other = { "k-tenant-id": await makeVpc(emulator, "other") };
  const missing = [404, `snapshot ${krn} not found`];
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers: other })).toEqual(missing);
  const far = { ...headers, "x-region": "In-Hyderabad-1" };
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers: far })).toEqual(missing);
  expect((await emulator.call("GET /kbs/v1/snapshots", { headers: other })).body).toEqual([]);
});

test.each([
  ["a short name", { name: "ab" }, "name: must be 3 to 63 lower-case letters, digits, dots and hyphens"],
  ["a capital", { name: "Daily" }, "name: must be 3 to 63 lower-case letters, digits, dots and hyphens"],
  ["no volume", { volume_id: undefined }, "volume_id: required"],
  ["an unknown field", { size: 1 }, 'size: unknown field "size"'],
])("%s is a 400", async (_, more, message) => {
  const { emulator, headers, body } = await ready();
  expect(await refusal(emulator, create, { body: body(more), headers })).toEqual([400, message]);
});

test("a snapshot fails by its name, and equal names are rejected if a switch is set", async () => {
  const { emulator, headers, body } = await ready({ assume: { equalNames: false } });
  const krn = await make(emulator, headers, body({ name: "a-fails" }));
  expect((await emulator.call(`GET ${path(krn)}`, { headers })).body).toMatchObject({ status: "error" });
  expect(await refusal(emulator, create, { body: body({ name: "a-fails" }), headers })).toEqual([
    409,
    "snapshot a-fails already exists",
  ]);
});

test.each([
  ["snapshot", "max_snapshots_allowed"],
  ["backup", "max_backups_allowed"],
])("a %s policy is set once, shown by the volume and removed", async (owner, field) => {
  const { emulator, headers, volume } = await ready();
  const policy = { name: "nightly", cron: "0 2 * * *", [field]: 7 };
  const route = `/kbs/v1/volumes/${volume}/${owner}s/policy`;
  const set = (body: unknown) => refusal(emulator, `POST ${route}`, { body, headers });
  const shown = async () =>
    at((await emulator.call(`GET /kbs/v1/volumes/${volume}`)).body, `${owner}_policy`);
  expect(await set({ ...policy, [field]: 0 })).toEqual([400, `${field}: must be 1 or more`]);
  expect(await set(policy)).toEqual([201, `${owner} policy created`]);
  expect(await shown()).toEqual(policy);
  expect(await set(policy)).toEqual([409, `volume disk has a ${owner} policy`]);
  expect((await emulator.call(`DELETE ${route}`, { headers })).status).toBe(204);
  expect(await shown()).toBeNull();
  expect(await refusal(emulator, `DELETE ${route}`, { headers })).toEqual([
    404,
    `volume disk has no ${owner} policy`,
  ]);
});
