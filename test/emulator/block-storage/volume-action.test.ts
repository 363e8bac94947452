import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeVolume, makeVpc } from "../client.ts";

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

test("a volume grows when its task ends, and never shrinks", async () => {
  const { emulator, vpc, tenant } = await ready();
  const krn = await makeVolume(emulator, vpc);
  const extend = (newSize: unknown) => ({ body: { input: { newSize } }, headers: tenant });
  const action = `POST ${path(krn)}/action?op=extend`;
  expect(await refusal(emulator, action, extend(10))).toEqual([
    400,
    "input.newSize: must be above the present 10 GB",
  ]);
  expect((await emulator.call(action, extend(9))).status).toBe(400);
  expect((await emulator.call(action, extend(20))).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({
    size: 10,
    last_action: "extend",
    last_action_status: "processing",
  });
  expect(await refusal(emulator, action, extend(30))).toEqual([409, "volume disk is busy: extend"]);
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({ size: 20, last_action_status: "success" });
  expect((await emulator.call(action, extend(15))).status).toBe(400);
  expect((await emulator.call(action, extend(30))).status).toBe(202);
});

test("an action without its operation is a 400", async () => {
  const { emulator, vpc, tenant } = await ready();
  const krn = await makeVolume(emulator, vpc);
  const body = { input: { newSize: 20 } };
  expect(await refusal(emulator, `POST ${path(krn)}/action`, { body, headers: tenant })).toEqual([
    400,
    "query: one of op=extend, op=attach, op=detach is required",
  ]);
});

test("name, description and metadata change in place; metadata is replaced, not merged", async () => {
  const { emulator, vpc, tenant } = await ready();
  const krn = await makeVolume(emulator, vpc, { metadata: { a: "1", b: "2" } });
  const change = { volume: { name: "renamed", metadata: { b: "3" } } };
  const reply = await emulator.call(`PUT ${path(krn)}`, { body: change, headers: tenant });
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { name: "renamed", description: "", metadata: { b: "3" } },
  ]);
  const wrong = { body: { volume: { size: 5 } }, headers: tenant };
  expect(await refusal(emulator, `PUT ${path(krn)}`, wrong)).toEqual([
    400,
    'volume.size: unknown field "size"',
  ]);
});

test("the statuses of an extension and of an update are switches", async () => {
  const { emulator, vpc, tenant } = await ready({
    assume: { volumeExtendStatus: 204, volumeUpdateStatus: 202 },
  });
  const krn = await makeVolume(emulator, vpc);
  const update = { body: { volume: { description: "d" } }, headers: tenant };
  expect((await emulator.call(`PUT ${path(krn)}`, update)).status).toBe(202);
  const extend = { body: { input: { newSize: 20 } }, headers: tenant };
  const reply = await emulator.call(`POST ${path(krn)}/action?op=extend`, extend);
  expect([reply.status, reply.body]).toEqual([204, undefined]);
});

test("the type changes when the task ends", async () => {
  const { emulator, vpc, tenant } = await ready();
  const krn = await makeVolume(emulator, vpc);
  const body = { volume_type: "HNSS_Encrypted" };
  expect((await emulator.call(`PUT ${path(krn)}/change_type`, { body, headers: tenant })).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({ volume_type: "ssd", encrypted: false });
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({ volume_type: "HNSS_Encrypted", encrypted: true });
});

test("the types are listed, but any type is accepted", async () => {
  const { emulator, vpc, tenant } = await ready();
  expect((await emulator.call("GET /kbs/v1/volumes/types", { headers: tenant })).body).toEqual([
    { name: "standard" },
    { name: "ssd" },
    { name: "HNSS" },
    { name: "HNSS_Encrypted" },
  ]);
  const krn = await makeVolume(emulator, vpc, { volumetype: "__DEFAULT__" });
  expect(await read(emulator, krn)).toMatchObject({ volume_type: "__DEFAULT__" });
});
