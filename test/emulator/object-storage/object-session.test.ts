import { expect, test } from "@jest/globals";
import { type Cloud, cloud, refusal, textAt } from "../client.ts";

const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
const headers = { "x-account-id": "000000000000" };
const activate = "POST /kos/v1/sessions/activate";
const status = async (emulator: Cloud, token: string) =>
  (await emulator.call(`GET /kos/v1/sessions/status/${token}`)).body;

async function open(emulator: Cloud) {
  const { body } = await emulator.call(activate, { headers, body: pair });
  return { token: textAt(body, "sessionToken"), refresh: textAt(body, "refreshToken"), body };
}

test("a session is activated, its status is read, it is refreshed with new tokens, and deactivated", async () => {
  const emulator = cloud();
  const { token, refresh, body } = await open(emulator);
  expect(body).toEqual({
    sessionToken: token,
    refreshToken: refresh,
    expiresAt: "2026-01-01T00:15:00.000Z",
    lastActiveAt: "2026-01-01T00:00:00.000Z",
  });
  await emulator.clock.advance(60_000);
  const renewed = await emulator.call(`POST /kos/v1/sessions/refresh/${token}`, {
    body: { refreshToken: refresh },
  });
  const next = textAt(renewed.body, "sessionToken");
  expect(renewed.body).toEqual({
    sessionToken: next,
    refreshToken: expect.stringMatching(/^refresh-/),
    expiresAt: "2026-01-01T00:16:00.000Z",
  });
  expect(await refusal(emulator, `GET /kos/v1/sessions/status/${token}`)).toEqual([404, "session not found"]);
  expect(await status(emulator, next)).toEqual({
    lastActiveAt: "2026-01-01T00:00:00.000Z",
    createdAt: "2026-01-01T00:00:00.000Z",
    isActive: true,
    expiresAt: "2026-01-01T00:16:00.000Z",
  });
  expect((await emulator.call(`DELETE /kos/v1/sessions/deactivate/${next}`)).status).toBe(204);
  expect(await status(emulator, next)).toMatchObject({ isActive: false });
  expect(emulator.inventory.list()).toEqual([]);
});

test("a key pair has one active session, which ends by another activation or by time", async () => {
  const emulator = cloud();
  const first = await open(emulator);
  const second = await open(emulator);
  expect(await status(emulator, first.token)).toMatchObject({ isActive: false });
  expect(await status(emulator, second.token)).toMatchObject({ isActive: true });
  await emulator.clock.advance(900_000);
  expect(await status(emulator, second.token)).toMatchObject({ isActive: false });
  const again = { body: { refreshToken: second.refresh } };
  expect(await refusal(emulator, `POST /kos/v1/sessions/refresh/${second.token}`, again)).toEqual([
    404,
    "session not found",
  ]);
});

test("successful and failed attempts are counted, and one above the limit is a 429", async () => {
  const emulator = cloud({ assume: { sessionAttempts: 2 } });
  const wrong = { headers, body: { ...pair, secretKey: "guessed" } };
  expect(await refusal(emulator, activate, wrong)).toEqual([401, "wrong access key or secret key"]);
  await open(emulator);
  const more = { headers, body: pair };
  expect(await refusal(emulator, activate, more)).toEqual([429, "too many session activation attempts"]);
  await emulator.clock.advance(300_000);
  expect((await emulator.call(activate, more)).status).toBe(200);
});

test("an activation needs the account, later requests of the session need its token", async () => {
  const emulator = cloud();
  expect(await refusal(emulator, activate, { body: pair })).toEqual([400, "header x-account-id: required"]);
  const { token } = await open(emulator);
  const wrong = { body: { refreshToken: "guessed" } };
  expect(await refusal(emulator, `POST /kos/v1/sessions/refresh/${token}`, wrong)).toEqual([
    401,
    "wrong refresh token",
  ]);
  expect(await refusal(emulator, "DELETE /kos/v1/sessions/deactivate/none")).toEqual([
    404,
    "session not found",
  ]);
  expect(JSON.stringify(emulator.log.entries())).not.toContain(token);
});
