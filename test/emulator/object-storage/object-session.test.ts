import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const token = "{activate_session.sessionToken}";
const renewed = { session_token: "{refresh_session.sessionToken}" };
const ended = "404 session not found";

scenario("a session is refreshed with new tokens and deactivated, and a key pair has one", [
  "create_access_key",
  [
    "activate_session",
    {},
    { expiresAt: "2026-01-01T00:15:01.000Z", lastActiveAt: "2026-01-01T00:00:01.000Z" },
  ],
  60_000,
  ["refresh_session", { refreshToken: "guessed" }, "401 wrong refresh token"],
  [
    "refresh_session",
    {},
    { refreshToken: expect.stringMatching(/^refresh-/), expiresAt: "2026-01-01T00:16:01.000Z" },
  ],
  ["get_session_status", {}, ended],
  ["get_session_status", renewed, { isActive: true, createdAt: "2026-01-01T00:00:01.000Z" }],
  ["get_session_status", renewed, { expiresAt: "2026-01-01T00:16:01.000Z" }],
  ["deactivate_session", {}, 204],
  ["get_session_status", renewed, { isActive: false }],
  ["deactivate_session", {}, ended],
  ["activate_session", {}, 200],
  ["activate_session", {}, { expiresAt: expect.any(String) }],
  ["get_session_status", { session_token: token }, { isActive: true }],
  900_000,
  ["get_session_status", {}, { isActive: false }],
  ["refresh_session", {}, ended],
]);

scenario("attempts with a right or a wrong secret are counted, and one above the limit is a 429", [
  "create_access_key",
  { assume: { sessionAttempts: 2 } },
  ["activate_session", { secretKey: "guessed" }, "401 wrong access key or secret key"],
  ["activate_session", {}, 200],
  ["activate_session", {}, "429 too many session activation attempts"],
  ["activate_session", { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" }, 200],
  300_000,
  ["activate_session", {}, 200],
  ["activate_session", { accessKey: "emulator-access-key" }, "401 wrong access key or secret key"],
]);
