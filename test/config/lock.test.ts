import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { gatherSettings } from "../../provider/config/config.ts";
import type { Given } from "../../provider/config/setting.ts";
import { ConfigError } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";

/** Tests the settings under the lock `KCLOUD_ONLY`. */

const emulator = "http://127.0.0.1:4010";
const real = "https://cloud.example";

/** Environment of a command under `kcloud emulator -- COMMAND`. */
const locked = {
  KCLOUD_ONLY: emulator,
  SERVICE_BASE_URL: emulator,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_ACCESS_KEY: "emulator-access",
  SERVICE_SECRET_KEY: "emulator-secret",
  SERVICE_OTP_COMMAND: `node -e "fetch('${emulator}/_emulator/otp')"`,
};

const folder = mkdtempSync(join(tmpdir(), "kcloud-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a profile file; returns the variable that selects it. */
function profile(settings: object): { readonly SERVICE_PROFILE_FILE: string } {
  const file = join(folder, "profiles.json");
  writeFileSync(file, JSON.stringify({ default: settings }), { mode: 0o600 });
  return { SERVICE_PROFILE_FILE: file };
}

function problems(given: Given, environment: NodeJS.ProcessEnv): string[] {
  try {
    gatherSettings(given, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, problem }) => `${path.join(".")}: ${inWordsOf("terraform", problem)}`);
  }
}

const remove = (what: string) =>
  `remove ${what}, or unset KCLOUD_ONLY, which kcloud emulator -- COMMAND sets`;
const refusal = `${real} is not allowed: KCLOUD_ONLY allows only ${emulator}`;

test("an address that the lock does not allow is an error, whatever place names it", () => {
  const { SERVICE_BASE_URL: _, ...rest } = locked;
  expect(problems({ baseUrl: real, apiKey: "real-key" }, locked)).toEqual([
    `baseUrl: ${refusal}; ${remove("it")}`,
  ]);
  expect(problems({}, { ...locked, SERVICE_BASE_URL: real })).toEqual([
    `: SERVICE_BASE_URL: ${refusal}; ${remove("SERVICE_BASE_URL")}`,
  ]);
  expect(problems({}, { ...rest, KCLOUD_BASE_URL: real })).toEqual([
    `: KCLOUD_BASE_URL: ${refusal}; ${remove("KCLOUD_BASE_URL")}`,
  ]);
  const stored = profile({ base_url: real, api_key: "real-key" });
  expect(problems({}, { ...rest, ...stored })).toEqual([
    `profile: base_url: ${refusal}; ${remove("base_url")}`,
  ]);
});

test("an address that is not used is no error", () => {
  const stored = profile({ base_url: real, api_key: "real-key", otp_command: `curl ${real}/otp` });
  expect(
    gatherSettings({}, { ...locked, ...stored, KCLOUD_BASE_URL: real, KCLOUD_API_KEY: "real-key" }),
  ).toMatchObject({ baseUrl: emulator, apiKey: "emulator-key", otpCommand: locked.SERVICE_OTP_COMMAND });
});

test.each([
  ["an API key", { apiKey: "real-key" }],
  ["a login", { email: "a@cloud.example", password: "real", accountUser: true }],
  ["a key pair", { accessKey: "real-access", secretKey: "real-secret" }],
  ["a command", { otpCommand: "curl https://otp.example" }],
])("%s without an address is not used, wherever it is", (_, settings: Given) => {
  const expected = gatherSettings({}, locked);
  expect(gatherSettings(settings, locked)).toEqual(expected);
  const written = Object.entries(settings).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const environment = { ...locked, ...profile(Object.fromEntries(written)) };
  expect(gatherSettings({}, environment)).toEqual({
    ...expected,
    profileFile: environment.SERVICE_PROFILE_FILE,
  });
  const variables = Object.fromEntries(
    written.map(([name, value]) => [`KCLOUD_${String(name).toUpperCase()}`, String(value)]),
  );
  expect(gatherSettings({}, { ...locked, ...variables, KCLOUD_OTP: "123456" })).toEqual(expected);
});

test("credentials that are written together with the locked address are used", () => {
  expect(gatherSettings({ baseUrl: `${emulator}/`, apiKey: "own-key" }, locked)).toMatchObject({
    apiKey: "own-key",
  });
  expect(gatherSettings({}, { ...locked, SERVICE_OTP: "123456" })).toMatchObject({
    oneTimePassword: "123456",
  });
});

test("without credentials of the locked address, the error says where they must be", () => {
  const missing = (address: string) =>
    `apiKey: is missing for ${address}: under KCLOUD_ONLY, credentials are used only from a place that has the address too; set api_key together with base_url, or SERVICE_API_KEY together with SERVICE_BASE_URL`;
  const { KCLOUD_ONLY, SERVICE_API_KEY } = locked;
  expect(problems({ baseUrl: emulator }, { KCLOUD_ONLY, SERVICE_API_KEY })).toEqual([missing(emulator)]);
  expect(problems({ apiKey: "key" }, { KCLOUD_ONLY, SERVICE_BASE_URL: emulator })).toEqual([
    missing(emulator),
  ]);
});

test("a command that names another address is an error", () => {
  const given = { baseUrl: emulator, apiKey: "own-key", otpCommand: `curl -s '${real}/otp' | jq .code` };
  expect(problems(given, locked)).toEqual([`otpCommand: ${refusal}; ${remove("it")}`]);
  expect(problems({}, { ...locked, SERVICE_OTP_COMMAND: `curl ${real}` })).toEqual([
    `: SERVICE_OTP_COMMAND: ${refusal}; ${remove("SERVICE_OTP_COMMAND")}`,
  ]);
});

test.each(["", "emulator", "127.0.0.1:4010"])("the invalid lock %j is an error", (lock) => {
  const problem = `KCLOUD_ONLY ${lock === "" ? "is empty" : "is not an address"}: set it to the only address that may be used, such as https://cloud.example, or unset it`;
  expect(problems({}, { ...locked, KCLOUD_ONLY: lock })).toEqual([`: ${problem}`]);
});

test("without a lock, the same settings are used as before", () => {
  const { KCLOUD_ONLY: _, ...rest } = locked;
  expect(gatherSettings({ baseUrl: real, apiKey: "real-key" }, rest)).toMatchObject({ baseUrl: real });
  expect(gatherSettings({ apiKey: "own-key" }, rest)).toMatchObject({ baseUrl: emulator, apiKey: "own-key" });
});

test("in a rehearsal, the environment replaces what a configuration says about the cloud, under a valid lock only", () => {
  const rehearsal = { ...locked, KCLOUD_ONLY_ENVIRONMENT: "true" };
  const stored = profile({ base_url: real, api_key: "real-key" });
  const written = {
    ...{ baseUrl: real, email: "a@example.com", password: "real", accessKey: "a", secretKey: "b" },
    ...{
      otpCommand: "curl https://cloud.example",
      profile: "none",
      profileFile: stored.SERVICE_PROFILE_FILE,
    },
    ...{ customerId: "real", accountUser: true, caCertFile: "/none", region: "In-Hyderabad-1" },
  };
  expect(gatherSettings(written, rehearsal)).toEqual({
    ...{ baseUrl: emulator, apiKey: "emulator-key", region: "In-Hyderabad-1" },
    ...{ accessKey: "emulator-access", secretKey: "emulator-secret", otpCommand: locked.SERVICE_OTP_COMMAND },
  });
  expect(problems(written, { ...rehearsal, KCLOUD_ONLY: "" })).toEqual([
    expect.stringContaining("KCLOUD_ONLY is empty"),
  ]);
  expect(problems({ baseUrl: real, apiKey: "key" }, { ...locked, KCLOUD_ONLY_ENVIRONMENT: "" })).toEqual([
    expect.stringContaining(refusal),
  ]);
  const { KCLOUD_ONLY: _, ...unlocked } = rehearsal;
  expect(gatherSettings({ baseUrl: real, apiKey: "real-key" }, unlocked)).toMatchObject({ baseUrl: real });
});
