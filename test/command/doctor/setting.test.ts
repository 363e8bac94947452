import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { about, doctor, home, setUp } from "./setup.ts";

test("the settings of KCLOUD_* and of a profile are checked like those of SERVICE_*", async () => {
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = await setUp();
  const file = join(home, ".config/kcloud/profiles.json");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ default: { region: "In-Hyderabad-1" } }), { mode: 0o600 });
  const ran = await doctor({ KCLOUD_BASE_URL: url, KCLOUD_API_KEY: key });
  expect(ran.code).toBe(0);
  expect(about(ran, "settings")).toEqual([
    "ok settings complete: KCLOUD_BASE_URL, KCLOUD_API_KEY, a profile",
  ]);
  expect(about(ran, "region")).toEqual(["ok region In-Hyderabad-1 has 3 instance types"]);
});

describe("settings that are missing or invalid", () => {
  test.each<[NodeJS.ProcessEnv, string[]]>([
    [
      { SERVICE_BASE_URL: "no address", SERVICE_API_KEY: "key-1" },
      [
        "FAILED settings SERVICE_BASE_URL is not an address such as https://cloud.example",
        "Correct or unset SERVICE_BASE_URL.",
      ],
    ],
    [
      { KCLOUD_BASE_URL: "https://cloud.example", KCLOUD_API_KEY: "Bearer key-1" },
      [
        'FAILED settings KCLOUD_API_KEY must be the raw API key, without the "Bearer " prefix',
        "Correct or unset KCLOUD_API_KEY.",
      ],
    ],
    [
      { SERVICE_BASE_URL: "http://127.0.0.1:1" },
      [
        "FAILED settings api_key: the API key is missing",
        "Set api_key or SERVICE_API_KEY. Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD. To try it without an account, run your command under `kcloud emulator -- …`.",
      ],
    ],
    [
      { SERVICE_BASE_URL: "http://127.0.0.1:1", KCLOUD_EMAIL: "a@cloud.example", SERVICE_PASSWORD: "secret" },
      [
        "FAILED settings KCLOUD_EMAIL: the parts of one credential must have the same prefix, but KCLOUD_EMAIL and SERVICE_PASSWORD are set",
        "Correct or unset KCLOUD_EMAIL.",
      ],
    ],
    [
      { SERVICE_PROFILE_FILE: "/missing.json" },
      ["FAILED settings profile: /missing.json cannot be read", "Correct the profile file."],
    ],
    [
      { SERVICE_BASE_URL: "https://cloud.example", SERVICE_API_KEY: "key-1", SERVICE_OTP: "1 2" },
      ["FAILED settings SERVICE_OTP contains whitespace", "Correct or unset SERVICE_OTP."],
    ],
  ])("%j", async (environment, lines) => {
    const ran = await doctor(environment, "--timeout", "5");
    expect([ran.code, about(ran, "settings")]).toEqual([1, lines]);
  });
});

test("with incomplete settings, only the address of the API is checked", async () => {
  const { SERVICE_BASE_URL } = await setUp();
  const ran = await doctor({ SERVICE_BASE_URL });
  expect(about(ran, "address")).toEqual(["ok address ADDRESS is reachable"]);
  for (const check of ["credentials", "region"])
    expect(about(ran, check)).toEqual([`note ${check} not checked: the settings are incomplete`]);
});
