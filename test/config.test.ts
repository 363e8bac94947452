import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  checkSettings,
  type Given,
  type SettingName,
  settingFields,
  settingNames,
  settled,
  withEnvironment,
} from "../provider/config.ts";
import { ConfigError } from "../provider/errors.ts";
import { memberOf } from "../provider/shape.ts";

const whole: Given = { baseUrl: "https://cloud.example", apiKey: "key-1" };

function problems(given: Given): string[] {
  try {
    settled(given);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, problem }) => `${path.join(".")} ${problem}`);
  }
}

test("what is missing names its setting, its variable and the way to try it without an account", () => {
  expect(problems({})).toEqual([
    "baseUrl the address of the cloud's API is missing: set base_url or SERVICE_BASE_URL. To try it without an account, run your command under `kcloud emulator -- …`.",
    "apiKey the API key is missing: set api_key or SERVICE_API_KEY. To try it without an account, run your command under `kcloud emulator -- …`.",
  ]);
});

test("the smallest configuration is an address and a key; the rest has its defaults", () => {
  expect(settled(whole)).toEqual({
    baseUrl: "https://cloud.example",
    apiKey: "key-1",
    region: undefined,
    accountId: undefined,
    adoptExisting: false,
    maxRequestsPerSecond: 10,
    settleSeconds: 120,
  });
});

test.each([
  ["apiKey", "Bearer key-1", "must be the bare key, without the word Bearer"],
  ["apiKey", "bearer\tkey-1", "must be the bare key, without the word Bearer"],
  ["apiKey", "key-1\n", "holds a line break"],
  ["apiKey", "key\r\nx-evil: 1", "holds a line break"],
  ["apiKey", "key 1", "holds a space or a character that no header can carry"],
  ["apiKey", "schlüssel", "holds a space or a character that no header can carry"],
  ["baseUrl", "cloud.example", "is not an address such as https://cloud.example"],
  ["baseUrl", " https://cloud.example", "is not an address such as https://cloud.example"],
  [
    "baseUrl",
    "http://cloud.example",
    "must begin with https:// (http:// is taken for a loopback address only)",
  ],
  [
    "baseUrl",
    "http://127.0.0.1.example",
    "must begin with https:// (http:// is taken for a loopback address only)",
  ],
  ["baseUrl", "ftp://127.0.0.1", "must begin with https:// (http:// is taken for a loopback address only)"],
  ["baseUrl", "https://user:pw@cloud.example", "must not hold a user name or password"],
  ["baseUrl", "https://cloud.example?x=1", "must not hold a query or fragment"],
  ["baseUrl", "https://cloud.example#x", "must not hold a query or fragment"],
  ["region", "In-Bangalore-1\n", "is not a region such as In-Bangalore-1"],
  ["adoptExisting", "yes", "must be true or false"],
  ["maxRequestsPerSecond", "ten", "must be a whole number, 0 or more"],
  ["maxRequestsPerSecond", -1, "must be a whole number, 0 or more"],
  ["maxRequestsPerSecond", 1.5, "must be a whole number, 0 or more"],
  ["settleSeconds", "", "must be a whole number, 0 or more"],
] as const)("%s = %j %s", (name, value, problem) => {
  expect(problems({ ...whole, [name]: value })).toEqual([`${name} ${problem}`]);
  expect(checkSettings({ [name]: value })).toEqual([{ path: [name], problem }]);
});

test("http is taken for every loopback address", () => {
  for (const host of ["127.0.0.1:8080", "127.1.2.3", "localhost", "[::1]:80"])
    expect(problems({ ...whole, baseUrl: `http://${host}` })).toEqual([]);
});

test("an address keeps its prefix and loses its last slashes", () => {
  const address = (baseUrl: string) => settled({ ...whole, baseUrl }).baseUrl;
  expect(address("https://cloud.example/")).toBe("https://cloud.example");
  expect(address("https://cloud.example/api//")).toBe("https://cloud.example/api");
  expect(address("HTTPS://Cloud.Example/Api")).toBe("https://cloud.example/Api");
});

test("every problem is told at once", () => {
  expect(problems({ baseUrl: "x", apiKey: "a b", maxRequestsPerSecond: -1 })).toHaveLength(3);
});

test("a half-known configuration is checked as far as it is known, and asked for nothing", () => {
  expect(checkSettings({})).toEqual([]);
  expect(checkSettings({ baseUrl: "x" })).toHaveLength(1);
});

test("the environment fills what is not given, and an empty variable is none", () => {
  const environment = {
    SERVICE_API_KEY: "from-environment",
    SERVICE_REGION: "",
    SERVICE_ADOPT_EXISTING: "true",
    SERVICE_MAX_REQUESTS_PER_SECOND: "3",
  };
  const filled = withEnvironment({ baseUrl: "https://cloud.example", apiKey: undefined }, environment);
  expect(filled).toEqual({
    baseUrl: "https://cloud.example",
    apiKey: "from-environment",
    adoptExisting: "true",
    maxRequestsPerSecond: "3",
  });
  expect(settled(filled)).toMatchObject({ adoptExisting: true, maxRequestsPerSecond: 3, region: undefined });
});

test("what is given wins over the environment, and an empty value is not the environment's", () => {
  const environment = { SERVICE_API_KEY: "from-environment", SERVICE_ADOPT_EXISTING: "true" };
  expect(withEnvironment({ apiKey: "mine", adoptExisting: false }, environment)).toEqual({
    apiKey: "mine",
    adoptExisting: false,
  });
  expect(problems(withEnvironment({ ...whole, apiKey: "" }, environment))[0]).toMatch(
    /^apiKey the API key is missing/,
  );
});

test("each setting has a sentence and a variable of its own; only the key is secret", () => {
  const secrets = settingNames.filter((name) => memberOf(settingFields[name] as never).secret);
  expect(secrets).toEqual(["apiKey"]);
  for (const field of Object.values(settingFields)) expect(field.about).toMatch(/^[A-Z].*\.$/);
});

test("no text about a setting repeats a key", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.constantFrom<SettingName>("apiKey"), (key, name) => {
      for (const text of problems({ ...whole, [name]: key })) expect(text).not.toContain(key);
    }),
  );
});
