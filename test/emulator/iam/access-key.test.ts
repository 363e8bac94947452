import { expect, test } from "@jest/globals";
import { at, cloud, accountHeader as headers, refusal } from "../client.ts";

const path = "/kos/v1/access_keys";

test("a key is created with a secret that is returned once, listed without it, and deleted with a one-time password", async () => {
  const emulator = cloud();
  const body = { key_name: "backup", region: "In-Hyderabad-1" };
  const made = await emulator.call(`POST ${path}`, { headers, body });
  const key = at(made.body, "access_key");
  expect([made.status, made.body]).toEqual([
    201,
    {
      access_key: expect.stringMatching(/^AK[0-9A-F]{18}$/),
      secret_key: expect.stringMatching(/^emulator-secret-/),
      message: "access key created",
    },
  ]);
  const listed = await emulator.call(`GET ${path}`, { headers });
  expect(listed.body).toEqual([
    { access_key: key, created_date: "2026-01-01T00:00:00.000Z", region: "In-Hyderabad-1" },
  ]);
  expect(await refusal(emulator, `DELETE ${path}/${key}`, { headers })).toEqual([400, "otp: required"]);
  const otp = emulator.password();
  expect((await emulator.call(`DELETE ${path}/${key}`, { headers, body: { otp } })).status).toBe(204);
  const again = { headers, body: { otp } };
  expect(await refusal(emulator, `DELETE ${path}/${key}`, again)).toEqual([401, "otp: it was used"]);
  expect((await emulator.call(`GET ${path}`, { headers })).body).toEqual([]);
});

test("the created key pair opens a session", async () => {
  const emulator = cloud();
  const { body } = await emulator.call(`POST ${path}`, { headers, body: {} });
  const pair = { accessKey: at(body, "access_key"), secretKey: at(body, "secret_key") };
  expect((await emulator.call("POST /kos/v1/sessions/activate", { headers, body: pair })).status).toBe(200);
});

test("all keys of the account are deleted by one request for all", async () => {
  const emulator = cloud();
  for (const key_name of ["one", "two"]) await emulator.call(`POST ${path}`, { headers, body: { key_name } });
  expect((await emulator.call("DELETE /internal/kos/v1/access_keys_all", { headers })).status).toBe(204);
  expect((await emulator.call(`GET ${path}`, { headers })).body).toEqual([]);
});

test("every rejection has a reason", async () => {
  const emulator = cloud();
  expect(await refusal(emulator, `GET ${path}`)).toEqual([400, "header x-account-id: required"]);
  expect(await refusal(emulator, `POST ${path}`, { headers, body: { name: "backup" } })).toEqual([
    400,
    'name: unknown field "name"',
  ]);
  expect(await refusal(emulator, `POST ${path}`, { headers, body: { key_name: "x-error-503" } })).toEqual([
    503,
    "refused because of the name x-error-503",
  ]);
  const body = { otp: emulator.password() };
  expect(await refusal(emulator, `DELETE ${path}/none`, { headers, body })).toEqual([
    404,
    "access key none not found",
  ]);
});
