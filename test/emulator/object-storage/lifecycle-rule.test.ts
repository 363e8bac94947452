import { expect, test } from "@jest/globals";
import { at, cloud, accountHeader as headers, makeBucket, refusal, textAt } from "../client.ts";

async function open(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  return { emulator, path: `/kos/v1/buckets/${await makeBucket(emulator)}/lifecycle-rules` };
}

test("a rule is created, listed, read, replaced and deleted", async () => {
  const { emulator, path } = await open();
  const body = { name: "old", attribute: "created", expiration_days: 30 };
  const made = await emulator.call(`POST ${path}`, { headers, body });
  const id = textAt(made.body, "id");
  const rule = { ...body, enabled: true, id, status: "Enabled" };
  expect([made.status, made.body]).toEqual([201, rule]);
  expect((await emulator.call(`GET ${path}`, { headers })).body).toEqual([rule]);
  const other = { name: "older", enabled: false, noncurrent_days: 7, expired_obj_delete_marker: true };
  const changed = await emulator.call(`PUT ${path}/${id}`, { headers, body: other });
  expect(changed.body).toEqual({ ...other, id, status: "Disabled" });
  expect((await emulator.call(`GET ${path}/${id}`, { headers })).body).toEqual(changed.body);
  expect((await emulator.call(`DELETE ${path}/${id}`, { headers })).status).toBe(204);
  const missing = [404, `lifecycle rule ${id} not found`];
  expect(await refusal(emulator, `GET ${path}/${id}`, { headers })).toEqual(missing);
});

test("a duplicate name, a rule without an effect, a negative number and an unknown bucket are rejected", async () => {
  const { emulator, path } = await open();
  await emulator.call(`POST ${path}`, { headers, body: { name: "old", expiration_days: 1 } });
  const create = (body: object, at = path) => refusal(emulator, `POST ${at}`, { headers, body });
  expect(await create({ name: "old", noncurrent_days: 1 })).toEqual([
    409,
    "lifecycle rule old already exists",
  ]);
  expect(await create({ name: "idle", expiration_days: 0, expired_obj_delete_marker: false })).toEqual([
    400,
    "body: a rule must have at least one action",
  ]);
  expect((await create({ name: "bad", expiration_days: -1 }))[0]).toBe(400);
  expect(
    (await create({ name: "lost", expiration_days: 1 }, "/kos/v1/buckets/none/lifecycle-rules"))[0],
  ).toBe(404);
});

test("with a switch, the create does not return the id", async () => {
  const { emulator, path } = await open({ assume: { lifecycleRuleAnswer: "message" } });
  const made = await emulator.call(`POST ${path}`, { headers, body: { name: "old", expiration_days: 1 } });
  expect(made.body).toEqual({ message: "lifecycle rule created" });
  expect(at((await emulator.call(`GET ${path}`, { headers })).body, "0.name")).toBe("old");
});
