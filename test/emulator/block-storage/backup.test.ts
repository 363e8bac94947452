import { expect, test } from "@jest/globals";
import { cloud, makeInstance, makeSite, makeVolume, makeVpc, refusal, textAt } from "../client.ts";

const path = (id: string) => `/kbs/v1/backups/${id}`;
const create = "POST /kbs/v1/backups";

/** Creates a volume of 10 GB and a backup of it. */
async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const vpc = await makeVpc(emulator);
  const headers = { "k-tenant-id": vpc };
  const volume = await makeVolume(emulator, vpc);
  const reply = await emulator.call(create, { body: { name: "weekly", volume_id: volume }, headers });
  const krn = textAt(reply.body, "backup.id");
  await emulator.clock.advance(1000);
  const restore = (body: unknown) => refusal(emulator, `POST ${path(krn)}/restore`, { body, headers });
  return { emulator, vpc, headers, volume, reply, krn, restore };
}

test("a backup is created, read, listed and deleted", async () => {
  const { emulator, vpc, headers, volume, reply, krn } = await ready();
  expect([reply.status, reply.body]).toEqual([202, { backup: { id: krn, status: "creating" } }]);
  expect((await emulator.call(`GET ${path(krn)}`, { headers })).body).toEqual({
    id: krn,
    krn,
    name: "weekly",
    description: "",
    volume_id: volume,
    size: 10,
    volume_type: "ssd",
    status: "available",
    incremental: false,
    tenant_id: vpc,
    created_at: "2026-01-01T00:00:02.000Z",
    updated_at: "2026-01-01T00:00:02.000Z",
  });
  const uuid = krn.slice(krn.lastIndexOf(":") + 1);
  expect((await emulator.call(`GET ${path(uuid)}`, { headers })).body).toMatchObject({ krn });
  expect((await emulator.call("GET /kbs/v1/backups", { headers })).body).toMatchObject([{ krn }]);
  expect((await emulator.call(`DELETE ${path(krn)}`, { headers })).status).toBe(202);
  expect(await refusal(emulator, `DELETE ${path(krn)}`, { headers })).toEqual([
    409,
    "weekly is already being deleted",
  ]);
  await emulator.clock.advance(1000);
  expect(await refusal(emulator, `GET ${path(krn)}`, { headers })).toEqual([404, `backup ${krn} not found`]);
});

test("a backup is restored as a new volume, also after the delete of its volume", async () => {
  const { emulator, headers, volume, krn } = await ready();
  expect((await emulator.call(`DELETE /kbs/v1/volumes/${volume}`)).status).toBe(202);
  await emulator.clock.advance(1000);
  const body = { name: "again" };
  const reply = await emulator.call(`POST ${path(krn)}/restore`, { body, headers });
  const made = textAt(reply.body, "volume_id");
  expect([reply.status, reply.body]).toEqual([202, { message: "restore accepted", volume_id: made }]);
  const read = async () => (await emulator.call(`GET /kbs/v1/volumes/${made}`)).body;
  expect(await read()).toMatchObject({ name: "again", size: 10, volume_type: "ssd", state: "creating" });
  await emulator.clock.advance(1000);
  expect(await read()).toMatchObject({ state: "available" });
});

test("a backup is restored into an existing volume", async () => {
  const { emulator, headers, volume, krn, restore } = await ready();
  const body = { volume_id: volume };
  expect((await emulator.call(`POST ${path(krn)}/restore`, { body, headers })).body).toEqual({
    message: "restore accepted",
    volume_id: volume,
  });
  expect((await emulator.call(`GET /kbs/v1/volumes/${volume}`)).body).toMatchObject({
    last_action: "restore",
    last_action_status: "processing",
  });
  expect(await restore(body)).toEqual([409, "volume disk is busy: restore"]);
});

test("an invalid restore is rejected", async () => {
  const { emulator, vpc, restore } = await ready();
  expect(await restore({})).toEqual([400, "name: required"]);
  expect(await restore({ volume_id: "x" })).toEqual([404, "Unable to fetch volume"]);
  const small = await makeVolume(emulator, vpc, { name: "small", size: 5 });
  expect(await restore({ volume_id: small })).toEqual([
    400,
    "volume_id: volume small is smaller than the 10 GB of the backup",
  ]);
});

test("a backup is not restored into an attached volume, nor created from one without force", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  await makeInstance(emulator, site);
  const headers = { "k-tenant-id": site.vpc };
  const volume = emulator.inventory.list().find(({ kind }) => kind === "volume")?.krn;
  const body = { name: "boot", volume_id: volume };
  expect(await refusal(emulator, create, { body, headers })).toEqual([
    409,
    "volume vm-volume is in-use; set force to copy it in this state",
  ]);
  const forced = { ...body, force: true, incremental: true };
  const krn = textAt((await emulator.call(create, { body: forced, headers })).body, "backup.id");
  const restore = { body: { volume_id: volume }, headers };
  expect(await refusal(emulator, `POST ${path(krn)}/restore`, restore)).toEqual([
    409,
    "backup boot is creating",
  ]);
  await emulator.clock.advance(1000);
  expect((await emulator.call(`GET ${path(krn)}`, { headers })).body).toMatchObject({ incremental: true });
  expect(await refusal(emulator, `POST ${path(krn)}/restore`, restore)).toEqual([
    409,
    "volume vm-volume is in-use",
  ]);
});

test("a create with a lost response creates the backup, and a reset removes it", async () => {
  const { emulator, headers, volume } = await ready();
  emulator.faults.add({ target: "create_backup", kind: "reset", when: "after", from: 1, times: 1 });
  const body = { name: "lost", volume_id: volume };
  await expect(emulator.call(create, { body, headers })).rejects.toThrow("fetch failed");
  expect(emulator.inventory.list().filter(({ kind }) => kind === "backup")).toMatchObject([
    { name: "weekly" },
    { name: "lost" },
  ]);
  emulator.reset();
  expect(emulator.inventory.list()).toEqual([]);
});
