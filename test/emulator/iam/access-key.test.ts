import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

scenario("a key is created with a secret that is returned once, and deleted with a one-time password", [
  [
    "create_access_key",
    { key_name: undefined, region: "In-Hyderabad-1" },
    {
      access_key: expect.stringMatching(/^AK[0-9A-F]{18}$/),
      secret_key: expect.stringMatching(/^emulator-secret-/),
    },
  ],
  ["list_access_keys", {}, { "0.region": "In-Hyderabad-1", "0.secret_key": undefined }],
  ["list_access_keys", {}, { "0.region": "in-hyderabad-1" }, { accessKeyRegion: "lower-case" }],
  ["list_access_keys", {}, { "0.key_name": "", "0.status": "active" }, { accessKeySpelling: "client" }],
  ["list_access_keys", {}, { "0.created_at": "2026-01-01T00:00:00.000Z" }, { accessKeySpelling: "client" }],
  ["create_access_key", { key_name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["delete_access_key", { otp: undefined }, "400 otp: required"],
  ["delete_access_key", { access_key: "none" }, "404 access key none not found"],
  ["delete_access_key", {}, 204],
  ["list_access_keys", {}, { length: 0 }],
  ["create_access_key", { region: undefined }, 201],
  ["create_access_key", {}, 201],
  ["list_access_keys", {}, { length: 2, "0.region": "In-Bangalore-1" }],
  ["delete_all_access_keys", {}, 204],
  ["list_access_keys", {}, { length: 0 }],
  ["activate_session", {}, "401 wrong access key or secret key"],
]);
