import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeVolume, makeVpc, textAt, volumeBody } from "../client.ts";

const create = "POST /kbs/v1/volumes";
const path = (krn: string) => `/kbs/v1/volumes/${krn}`;

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const vpc = await makeVpc(emulator);
  const tenant = { "k-tenant-id": vpc };
  return { emulator, vpc, tenant };
}

async function refusal(emulator: Cloud, request: string, options: Parameters<Cloud["call"]>[1] = {}) {
  const reply = await emulator.call(request, options);
  return [reply.status, at(reply.body, "message")];
}

const read = async (emulator: Cloud, krn: string) => (await emulator.call(`GET ${path(krn)}`)).body;

test("a volume is created, becomes available, is deleted and disappears", async () => {
  const { emulator, tenant } = await ready();
  const reply = await emulator.call(create, { body: volumeBody(), headers: tenant });
  const krn = textAt(reply.body, "volume.id");
  expect([reply.status, reply.body]).toEqual([202, { volume: { id: krn, status: "creating" } }]);
  expect(await read(emulator, krn)).toMatchObject({ status: "creating", last_action_status: "processing" });
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({ status: "available", last_action_status: "success" });
  expect((await emulator.call(`DELETE ${path(krn)}`, { headers: tenant })).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({ status: "deleting", last_action: "delete" });
  await emulator.clock.advance(1000);
  expect(await refusal(emulator, `GET ${path(krn)}`)).toEqual([404, "Unable to fetch volume"]);
});

test("a read returns all fields of a volume", async () => {
  const { emulator, vpc } = await ready();
  const krn = await makeVolume(emulator, vpc, {
    description: "data",
    multiattach: true,
    metadata: { team: "a" },
    qos: { iops: { read_iops_sec: 100 } },
    source: {
      type: "image",
      id: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    },
  });
  expect(await read(emulator, krn)).toEqual({
    id: krn,
    krn,
    name: "disk",
    description: "data",
    size: 10,
    status: "available",
    state: "available",
    volume_type: "ssd",
    availability_zone: "nova",
    multiattach: true,
    bootable: true,
    encrypted: false,
    attachments: [],
    metadata: { team: "a" },
    qos: { iops: { read_iops_sec: 100 } },
    source: {
      type: "image",
      id: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    },
    source_type: "image",
    source_id: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    created_at: "2026-01-01T00:00:01.000Z",
    updated_at: "2026-01-01T00:00:01.000Z",
    deleted_at: null,
    remote_volume_id: krn.slice(krn.lastIndexOf(":") + 1),
    account_id: "000000000000",
    project_id: vpc,
    k_customer_id: "00000000-0000-4000-8000-000000000000",
    tenant_id: vpc,
    last_action: "create",
    last_action_status: "success",
    last_action_log: "",
    tags: [],
    snapshot_policy: null,
    backup_policy: null,
    kms_key_id: null,
  });
});

test("the field names of the seed document are also accepted, and both only if they agree", async () => {
  const { emulator, tenant } = await ready();
  const body = { volumeName: "disk", size: 5, volumeType: "standard", availabilityZone: "nova" };
  const reply = await emulator.call(create, { body, headers: tenant });
  expect(await read(emulator, textAt(reply.body, "volume.id"))).toMatchObject({
    name: "disk",
    volume_type: "standard",
    multiattach: false,
  });
  const agreeing = { ...body, name: "disk" };
  expect((await emulator.call(create, { body: agreeing, headers: tenant })).status).toBe(202);
  const other = { ...body, name: "other" };
  expect(await refusal(emulator, create, { body: other, headers: tenant })).toEqual([
    400,
    "volumeName: disagrees with name",
  ]);
});

test.each([
  ["no size", { size: undefined }, "size: required"],
  ["a size of 0", { size: 0 }, "size: must be 1 or more (GB)"],
  ["half a size", { size: 1.5 }, "size: must be of type int"],
  ["a size as text", { size: "10" }, "size: must be of type number"],
  ["no type", { volumetype: undefined }, "volumetype: required"],
  ["no zone", { availability_zone: undefined }, "availability_zone: required"],
  ["metadata that is no text", { metadata: { a: 1 } }, "metadata.a: must be of type string"],
  ["an unknown quality", { qos: { speed: 1 } }, 'qos.speed: unknown field "speed"'],
  ["an unknown field", { tags: [] }, 'tags: unknown field "tags"'],
])("a volume with %s is a 400 that names it", async (_, wrong, message) => {
  const { emulator, tenant } = await ready();
  const body = volumeBody("disk", wrong);
  expect(await refusal(emulator, create, { body, headers: tenant })).toEqual([400, message]);
});

test("without a tenant the volume goes to the only VPC; with two it is a 400", async () => {
  const { emulator, vpc } = await ready();
  const reply = await emulator.call(create, { body: volumeBody() });
  expect(await read(emulator, textAt(reply.body, "volume.id"))).toMatchObject({ tenant_id: vpc });
  await makeVpc(emulator, "second");
  expect(await refusal(emulator, create, { body: volumeBody() })).toEqual([
    400,
    "header k-tenant-id: required",
  ]);
});

test("a tenant must be a ready VPC of the given region", async () => {
  const { emulator, vpc, tenant } = await ready();
  const headers = { "k-tenant-id": "x" };
  expect(await refusal(emulator, create, { body: volumeBody(), headers })).toEqual([404, "VPC x not found"]);
  const elsewhere = { ...tenant, "x-region": "In-Hyderabad-1" };
  expect((await emulator.call(create, { body: volumeBody(), headers: elsewhere })).status).toBe(404);
  await emulator.call(`DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`);
  expect(await refusal(emulator, create, { body: volumeBody(), headers: tenant })).toEqual([
    409,
    "VPC net is not ready: DELETING",
  ]);
});

test("a volume is not found under another tenant, in another region or by its bare UUID", async () => {
  const { emulator, vpc } = await ready();
  const krn = await makeVolume(emulator, vpc);
  const other = { "k-tenant-id": await makeVpc(emulator, "other") };
  const missing = [404, "Unable to fetch volume"];
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers: other })).toEqual(missing);
  expect(await refusal(emulator, `DELETE ${path(krn)}`, { headers: other })).toEqual(missing);
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers: { "x-region": "In-Hyderabad-1" } })).toEqual(
    missing,
  );
  expect(await refusal(emulator, `GET ${path(krn.slice(-36))}`)).toEqual(missing);
  expect(
    (await emulator.call(`GET ${path(encodeURIComponent(krn))}`, { headers: { "x-region": "" } })).status,
  ).toBe(200);
});

test("the list is a bare array of one VPC's volumes and needs the tenant", async () => {
  const { emulator, vpc, tenant } = await ready();
  const krn = await makeVolume(emulator, vpc);
  await makeVolume(emulator, await makeVpc(emulator, "other"));
  expect((await emulator.call("GET /kbs/v1/volumes", { headers: tenant })).body).toMatchObject([{ id: krn }]);
  expect(await refusal(emulator, "GET /kbs/v1/volumes")).toEqual([400, "header k-tenant-id: required"]);
});

test("the list lags behind, the exact read does not", async () => {
  const { emulator, vpc, tenant } = await ready({ listingLagMs: 2000 });
  const krn = await makeVolume(emulator, vpc);
  const list = async () => (await emulator.call("GET /kbs/v1/volumes", { headers: tenant })).body;
  expect(await list()).toEqual([]);
  expect(await read(emulator, krn)).toMatchObject({ status: "available" });
  await emulator.clock.advance(1000);
  expect(await list()).toMatchObject([{ id: krn, status: "creating" }]);
  await emulator.clock.advance(1000);
  await emulator.call(`DELETE ${path(krn)}`);
  await emulator.clock.advance(1000);
  expect((await emulator.call(`GET ${path(krn)}`)).status).toBe(404);
  expect(await list()).toMatchObject([{ id: krn, status: "available" }]);
  await emulator.clock.advance(2000);
  expect(await list()).toEqual([]);
});

test("a volume that is being created accepts no action and no delete", async () => {
  const { emulator, tenant } = await ready();
  const reply = await emulator.call(create, { body: volumeBody(), headers: tenant });
  const krn = textAt(reply.body, "volume.id");
  expect(await refusal(emulator, `DELETE ${path(krn)}`)).toEqual([409, "volume disk is creating"]);
  const body = { volume: { name: "x" } };
  expect(await refusal(emulator, `PUT ${path(krn)}`, { body, headers: tenant })).toEqual([
    409,
    "volume disk is creating",
  ]);
});

test("a volume that fails by its name ends in error; only such a volume can be deleted by force", async () => {
  const { emulator, vpc } = await ready();
  const failed = await makeVolume(emulator, vpc, { name: "disk-fails" });
  expect(await read(emulator, failed)).toMatchObject({
    state: "error",
    last_action_status: "failed",
    last_action_log: "failed because of the name disk-fails",
  });
  const sound = await makeVolume(emulator, vpc);
  expect(await refusal(emulator, `DELETE ${path(sound)}?force=true`)).toEqual([
    400,
    "query force: only for a failed volume",
  ]);
  expect((await emulator.call(`DELETE ${path(failed)}?force=true`)).status).toBe(202);
});

test("the status of a failed volume and the HTTP status of a delete are switches", async () => {
  const { emulator, vpc } = await ready({
    assume: { volumeFailedWord: "error_creating", volumeDeleteStatus: 204 },
  });
  const failed = await makeVolume(emulator, vpc, { name: "disk-fails" });
  expect(await read(emulator, failed)).toMatchObject({ state: "error_creating" });
  const removed = await emulator.call(`DELETE ${path(failed)}?force=true`);
  expect([removed.status, removed.body]).toEqual([204, undefined]);
});

test("a source must exist", async () => {
  const { emulator, vpc, tenant } = await ready();
  const from = (type: string, id: string) => ({
    body: volumeBody("copy", { source: { type, id } }),
    headers: tenant,
  });
  const krn = await makeVolume(emulator, vpc);
  expect((await emulator.call(create, from("volume", krn))).status).toBe(202);
  expect(await refusal(emulator, create, from("volume", "x"))).toEqual([404, "Unable to fetch volume"]);
  expect(await refusal(emulator, create, from("snapshot", "x"))).toEqual([404, "snapshot x not found"]);
  expect(await refusal(emulator, create, from("image", "x"))).toEqual([
    404,
    "image x not found; there are " +
      "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101, " +
      "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000102",
  ]);
});

test("the create response, the spelling and the status have their other forms if switches are set", async () => {
  const { emulator, tenant } = await ready({
    assume: { volumeCreateShape: "flat", volumeSpelling: "alias", volumeStatus: "last-action" },
  });
  const reply = await emulator.call(create, { body: volumeBody(), headers: tenant });
  const krn = textAt(reply.body, "id");
  expect(reply.body).toEqual({ id: krn, status: "creating" });
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({
    id: krn.slice(-36),
    krn,
    Name: "disk",
    Size: "10",
    volumetype: "ssd",
    multi_attached_enabled: false,
    status: "success",
    state: "available",
  });
});
