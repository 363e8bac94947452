import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { gatherSettings, resolveSettings } from "../../provider/config/config.ts";
import {
  checkSettings,
  environmentOf,
  type Given,
  type SettingName,
  settingFields,
  settingNames,
} from "../../provider/config/setting.ts";
import { ConfigError } from "../../provider/core/error.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { memberOf } from "../../provider/definition/shape.ts";

const whole: Given = { baseUrl: "https://cloud.example", apiKey: "key-1" };
const login: Given = { baseUrl: "https://cloud.example", email: "a@cloud.example", password: "secret" };

function problems(given: Given): string[] {
  try {
    resolveSettings(given);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, problem }) => `${path.join(".")} ${inWordsOf("terraform", problem)}`);
  }
}

test("the error about a missing setting names the setting, its variable and the emulator", () => {
  expect(problems({})).toEqual([
    "baseUrl the address of the API is missing: set base_url or SERVICE_BASE_URL. To try it without an account, run your command under `kcloud emulator -- …`.",
    "apiKey the API key is missing: set api_key or SERVICE_API_KEY. Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD. To try it without an account, run your command under `kcloud emulator -- …`.",
  ]);
});

test("the smallest configuration is an address and a key; the rest has its defaults", () => {
  expect(resolveSettings(whole)).toEqual({
    baseUrl: "https://cloud.example",
    identity: { apiKey: "key-1" },
    region: undefined,
    accountId: undefined,
    adoptExisting: false,
    maxRequestsPerSecond: 10,
    settleSeconds: 120,
    defaultTags: {},
    certificates: undefined,
    objectKeys: undefined,
    oneTimePassword: undefined,
    otpCommand: undefined,
    otpRequired: true,
    switches: {
      floatingIpAttachOrder: "holder-first",
      ipVersionForm: "mixed",
      userDataAsWritten: false,
      podReadPath: "/v1/kpod/pod/{pod}",
      inferencePathPrefix: "",
    },
  });
});

test("switches and default tags are accepted as text and as value", () => {
  const given: Given = {
    ...whole,
    defaultTags: '{"team":"orders"}',
    floatingIpAttachOrder: "target-first",
    ipVersionForm: "string",
    userDataAsWritten: "true",
  };
  expect(resolveSettings(given)).toMatchObject({
    defaultTags: { team: "orders" },
    switches: { floatingIpAttachOrder: "target-first", ipVersionForm: "string", userDataAsWritten: true },
  });
});

test.each([
  ["apiKey", "Bearer key-1", 'must be the raw API key, without the "Bearer " prefix'],
  ["apiKey", "bearer\tkey-1", 'must be the raw API key, without the "Bearer " prefix'],
  ["apiKey", "key-1\n", "contains a line break"],
  ["apiKey", "key\r\nx-evil: 1", "contains a line break"],
  ["apiKey", "key 1", "contains a space or a character that is not allowed in a header"],
  ["apiKey", "schlüssel", "contains a space or a character that is not allowed in a header"],
  ["baseUrl", "cloud.example", "is not an address such as https://cloud.example"],
  ["baseUrl", " https://cloud.example", "is not an address such as https://cloud.example"],
  [
    "baseUrl",
    "http://cloud.example",
    "must begin with https:// (http:// is accepted for a loopback address only)",
  ],
  [
    "baseUrl",
    "http://127.0.0.1.example",
    "must begin with https:// (http:// is accepted for a loopback address only)",
  ],
  [
    "baseUrl",
    "ftp://127.0.0.1",
    "must begin with https:// (http:// is accepted for a loopback address only)",
  ],
  ["baseUrl", "https://user:pw@cloud.example", "must not contain a user name or password"],
  ["baseUrl", "https://cloud.example?x=1", "must not contain a query or fragment"],
  ["baseUrl", "https://cloud.example#x", "must not contain a query or fragment"],
  ["accountUser", "yes", "must be true or false"],
  ["region", "In-Bangalore-1\n", "is not a region such as In-Bangalore-1"],
  ["customerId", "customer-1", "is not a UUID"],
  ["adoptExisting", "yes", "must be true or false"],
  ["maxRequestsPerSecond", "ten", "must be a whole number, 0 or more"],
  ["maxRequestsPerSecond", -1, "must be a whole number, 0 or more"],
  ["maxRequestsPerSecond", 1.5, "must be a whole number, 0 or more"],
  ["settleSeconds", "", "must be a whole number, 0 or more"],
  ["defaultTags", "team=orders", "must be a map of strings"],
  ["defaultTags", '{"team":1}', "must be a map of strings"],
  ["caCertFile", "", "is empty"],
  ["profile", "", "is empty"],
  ["floatingIpAttachOrder", "first", "must be holder-first or target-first"],
  ["ipVersionForm", "text", "must be mixed or string or integer"],
  ["userDataAsWritten", 1, "must be true or false"],
  ["podReadPath", "/v1/pods", "must be a path such as /v1/kpod/pod/{pod}"],
  ["podReadPath", "https://other.example/{pod}", "must be a path such as /v1/kpod/pod/{pod}"],
  ["podReadPath", "/../{pod}", "must be a path such as /v1/kpod/pod/{pod}"],
] as const)("%s = %j %s", (name, value, problem) => {
  expect(problems({ ...whole, [name]: value })).toEqual([`${name} ${problem}`]);
  expect(checkSettings({ [name]: value })).toEqual([{ path: [name], problem }]);
});

test.each([
  ["email", "ops", "is not an email address"],
  ["email", "ops team@cloud.example", "is not an email address"],
  ["password", "secret\n", "contains a line break"],
  ["password", "", "is empty"],
] as const)("%s = %j %s", (name, value, problem) => {
  expect(problems({ ...login, [name]: value })).toEqual([`${name} ${problem}`]);
});

test("signing in needs an email and a password; a user of an account needs the account as well", () => {
  const root = { email: "a@cloud.example", password: "secret", account: undefined };
  expect(resolveSettings(login).identity).toEqual(root);
  expect(resolveSettings({ ...login, accountId: "42" }).identity).toEqual(root);
  expect(resolveSettings({ ...login, accountUser: "true", accountId: "42" }).identity).toEqual({
    ...root,
    account: "42",
  });
  expect(problems({ ...login, accountUser: true })).toEqual([
    "accountId the account of the user that signs in is missing: set account_id or SERVICE_ACCOUNT_ID",
  ]);
});

test("the error about half a sign-in names the other half and where to set both", () => {
  expect(problems({ ...login, password: undefined })).toEqual([
    "password the password is missing, but the email is set: set both in one place, as email and password or as SERVICE_EMAIL and SERVICE_PASSWORD",
  ]);
  expect(problems({ ...login, email: undefined })).toEqual([
    "email the email is missing, but the password is set: set both in one place, as email and password or as SERVICE_EMAIL and SERVICE_PASSWORD",
  ]);
});

test("a key together with an email or a password is an error; a key together with account_user is valid", () => {
  const both = "apiKey conflicts with email and password: set only one of the two";
  expect(problems({ ...whole, ...login })).toEqual([both]);
  expect(problems({ ...whole, email: "a@cloud.example" })).toEqual([both]);
  expect(problems({ ...whole, password: "secret" })).toEqual([both]);
  expect(problems({ ...whole, accountUser: true })).toEqual([]);
});

test("http is accepted for every loopback address", () => {
  for (const host of ["127.0.0.1:8080", "127.1.2.3", "localhost", "[::1]:80"])
    expect(problems({ ...whole, baseUrl: `http://${host}` })).toEqual([]);
});

test("an address keeps its prefix and loses its last slashes", () => {
  const address = (baseUrl: string) => resolveSettings({ ...whole, baseUrl }).baseUrl;
  expect(address("https://cloud.example/")).toBe("https://cloud.example");
  expect(address("https://cloud.example/api//")).toBe("https://cloud.example/api");
  expect(address("HTTPS://Cloud.Example/Api")).toBe("https://cloud.example/Api");
});

test("all problems are reported together", () => {
  expect(problems({ baseUrl: "x", apiKey: "a b", maxRequestsPerSecond: -1 })).toHaveLength(3);
});

test("a partly unknown configuration is checked as far as it is known, and nothing is required", () => {
  expect(checkSettings({})).toEqual([]);
  expect(checkSettings({ baseUrl: "x" })).toHaveLength(1);
});

test("the environment provides missing settings, and an empty variable counts as unset", () => {
  const environment = {
    SERVICE_API_KEY: "from-environment",
    SERVICE_REGION: "",
    SERVICE_ADOPT_EXISTING: "true",
    SERVICE_MAX_REQUESTS_PER_SECOND: "3",
  };
  const filled = gatherSettings({ baseUrl: "https://cloud.example", apiKey: undefined }, environment);
  expect(filled).toEqual({
    baseUrl: "https://cloud.example",
    apiKey: "from-environment",
    adoptExisting: "true",
    maxRequestsPerSecond: "3",
  });
  expect(resolveSettings(filled)).toMatchObject({
    adoptExisting: true,
    maxRequestsPerSecond: 3,
    region: undefined,
  });
});

test("given settings override the environment, even empty values", () => {
  const environment = { SERVICE_API_KEY: "from-environment", SERVICE_ADOPT_EXISTING: "true" };
  expect(gatherSettings({ apiKey: "mine", adoptExisting: false }, environment)).toEqual({
    apiKey: "mine",
    adoptExisting: false,
  });
  expect(problems(gatherSettings({ ...whole, apiKey: "" }, environment))[0]).toMatch(
    /^apiKey the API key is missing/,
  );
});

const everywhere = {
  SERVICE_API_KEY: "from-environment",
  SERVICE_EMAIL: "b@cloud.example",
  SERVICE_PASSWORD: "other",
  SERVICE_ACCOUNT_USER: "true",
  SERVICE_ACCOUNT_ID: "42",
};

test.each<[string, Given, NodeJS.ProcessEnv, Given]>([
  ["a key", { apiKey: "mine" }, everywhere, { apiKey: "mine", accountId: "42" }],
  [
    "a whole sign-in",
    { email: "a@cloud.example", password: "secret" },
    everywhere,
    { email: "a@cloud.example", password: "secret", accountId: "42" },
  ],
  ["half a sign-in", { email: "a@cloud.example" }, everywhere, { email: "a@cloud.example", accountId: "42" }],
  [
    "nothing: the key of the environment wins",
    {},
    everywhere,
    { apiKey: "from-environment", accountId: "42" },
  ],
  ["an empty key", { apiKey: "" }, everywhere, { accountId: "42" }],
  [
    "account_user alone",
    { accountUser: false },
    { SERVICE_EMAIL: "b@cloud.example", SERVICE_PASSWORD: "other", SERVICE_ACCOUNT_USER: "true" },
    { email: "b@cloud.example", password: "other", accountUser: false },
  ],
])("all credentials come from one source: together with %s", (_, given, environment, filled) => {
  expect(gatherSettings(given, environment)).toEqual(filled);
});

test("each setting has a description and a variable; key and password are secret", () => {
  const secrets = settingNames.filter((name) => memberOf(settingFields[name] as never).secret);
  expect(secrets).toEqual(["apiKey", "password", "secretKey"]);
  for (const field of Object.values(settingFields))
    expect(inWordsOf("terraform", field.about)).toMatch(/^[A-Z].*\.$/);
});

test("the page of the provider names every setting with its variable", async () => {
  const page = await readFile(new URL("../../docs/index.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^- `(\w+)` .* Environment variable: `(\w+)`\.$/gm)].map(
    ([, name, variable]) => [name, variable],
  );
  expect(rows.toSorted()).toEqual(
    settingNames.map((name) => [snakeCase(name), environmentOf(name)]).toSorted(),
  );
});

test("no text about a setting contains a key or a password", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 6 }),
      fc.constantFrom<SettingName>("apiKey", "password"),
      (key, name) => {
        const rest = name === "apiKey" ? whole : login;
        for (const text of problems({ ...rest, [name]: key })) expect(text).not.toContain(key);
      },
    ),
  );
});

test("both keys of object storage come from one source", () => {
  const environment = { SERVICE_ACCESS_KEY: "AK1", SERVICE_SECRET_KEY: "secret-1" };
  expect(resolveSettings(gatherSettings(whole, environment)).objectKeys).toEqual({
    accessKey: "AK1",
    secretKey: "secret-1",
  });
  expect(problems(gatherSettings({ ...whole, accessKey: "AK2" }, environment))).toEqual([
    "secretKey is missing, but the other value of the pair is set: set secret_key or SERVICE_SECRET_KEY",
  ]);
});

test("credentials of an environment with an address are sent only to that address", () => {
  const environment = {
    SERVICE_BASE_URL: "https://cloud.example/",
    SERVICE_API_KEY: "from-environment",
    SERVICE_ACCESS_KEY: "AK1",
    SERVICE_SECRET_KEY: "secret-1",
    SERVICE_OTP: "123456",
    SERVICE_OTP_COMMAND: "print-password",
    SERVICE_REGION: "In-Bangalore-1",
  };
  const whole = {
    apiKey: "from-environment",
    accessKey: "AK1",
    secretKey: "secret-1",
    oneTimePassword: "123456",
    otpCommand: "print-password",
  };
  for (const baseUrl of [undefined, "https://cloud.example", "https://cloud.example/"])
    expect(gatherSettings({ baseUrl }, environment)).toMatchObject(whole);
  expect(gatherSettings({ baseUrl: "https://other.example", apiKey: "mine" }, environment)).toEqual({
    baseUrl: "https://other.example",
    apiKey: "mine",
    region: "In-Bangalore-1",
  });
  expect(() => gatherSettings({ baseUrl: "https://other.example" }, environment)).toThrow(
    new ConfigError([
      {
        path: ["apiKey"],
        problem:
          "is missing for https://other.example: the credentials in the environment are used only with its own SERVICE_BASE_URL (https://cloud.example/); set apiKey together with baseUrl, or unset SERVICE_BASE_URL",
      },
    ]),
  );
  const { SERVICE_BASE_URL: _, ...nameless } = environment;
  expect(gatherSettings({ baseUrl: "https://other.example" }, nameless)).toMatchObject(whole);
});

test("a one-time password comes only from the environment, and contains no whitespace", () => {
  expect(resolveSettings(gatherSettings(whole, { SERVICE_OTP: "123456" })).oneTimePassword).toBe("123456");
  expect(problems(gatherSettings(whole, { SERVICE_OTP: "12 34" }))).toEqual([
    " SERVICE_OTP contains whitespace",
  ]);
});

/** Two valid values of the settings that do not accept every text. */
const validValues: { readonly [K in SettingName]?: readonly [string, string] } = {
  baseUrl: ["https://a.example", "https://b.example"],
  email: ["a@cloud.example", "b@cloud.example"],
  accountUser: ["true", "false"],
  customerId: ["11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"],
  otpRequired: ["true", "false"],
  adoptExisting: ["true", "false"],
  defaultTags: ['{"a":"b"}', "{}"],
  maxRequestsPerSecond: ["1", "2"],
  settleSeconds: ["1", "2"],
  floatingIpAttachOrder: ["holder-first", "target-first"],
  ipVersionForm: ["string", "integer"],
  userDataAsWritten: ["true", "false"],
  podReadPath: ["/a/{pod}", "/b/{pod}"],
  inferencePathPrefix: ["/a", "/b"],
};

test.each([
  [{ SERVICE_BASE_URL: "cloud" }, "SERVICE_BASE_URL is not an address such as https://cloud.example"],
  [{ KCLOUD_SETTLE_SECONDS: "soon" }, "KCLOUD_SETTLE_SECONDS must be a whole number, 0 or more"],
])("an invalid variable is reported by its name: %j", (environment, problem) => {
  expect(() => gatherSettings({ apiKey: "key-1" }, environment)).toThrow(
    expect.objectContaining({ problems: [{ path: [], problem }] }),
  );
});

test("a variable whose setting the configuration has is not checked", () => {
  const written = { baseUrl: "https://cloud.example", apiKey: "key-1", settleSeconds: 5 } as const;
  expect(gatherSettings(written, { SERVICE_SETTLE_SECONDS: "soon" }).settleSeconds).toBe(5);
});

test("each variable is also read with the prefix KCLOUD_, and SERVICE_ wins setting by setting", () => {
  const environment = {
    KCLOUD_BASE_URL: "https://cloud.example",
    KCLOUD_API_KEY: "key-1",
    KCLOUD_REGION: "In-Hyderabad-1",
    KCLOUD_ADOPT_EXISTING: "true",
    SERVICE_REGION: "In-Bangalore-1",
    SERVICE_ADOPT_EXISTING: "",
  };
  expect(gatherSettings({}, environment)).toEqual({
    baseUrl: "https://cloud.example",
    apiKey: "key-1",
    region: "In-Bangalore-1",
    adoptExisting: "true",
  });
  for (const name of settingNames.filter((one) => one !== "profile" && one !== "profileFile")) {
    const [service, kcloud] = [environmentOf(name), environmentOf(name, "KCLOUD_")];
    expect(kcloud).toBe(service.replace("SERVICE_", "KCLOUD_"));
    const [a, b] = validValues[name] ?? ["a", "b"];
    expect(gatherSettings({}, { [kcloud]: b })[name]).toBe(name === "accountUser" ? undefined : b);
    expect(gatherSettings({}, { [service]: a, [kcloud]: b })[name]).toBe(
      name === "accountUser" ? undefined : a,
    );
  }
});

test("credentials with the prefix SERVICE_ win as a whole over those with KCLOUD_", () => {
  const login = { SERVICE_EMAIL: "a@cloud.example", SERVICE_PASSWORD: "secret" };
  const filled = { email: "a@cloud.example", password: "secret" };
  expect(gatherSettings({}, { ...login, KCLOUD_API_KEY: "key-1" })).toEqual(filled);
  expect(gatherSettings({}, { ...login, KCLOUD_EMAIL: "b@cloud.example", KCLOUD_PASSWORD: "other" })).toEqual(
    filled,
  );
  expect(gatherSettings({}, { SERVICE_API_KEY: "key-1", KCLOUD_EMAIL: "b@cloud.example" })).toEqual({
    apiKey: "key-1",
  });
});

test.each([
  [{ KCLOUD_EMAIL: "a@cloud.example", SERVICE_PASSWORD: "s" }, "email", "KCLOUD_EMAIL", "SERVICE_PASSWORD"],
  [
    { SERVICE_EMAIL: "a@cloud.example", KCLOUD_PASSWORD: "s" },
    "password",
    "KCLOUD_PASSWORD",
    "SERVICE_EMAIL",
  ],
  [
    { SERVICE_ACCESS_KEY: "AK1", KCLOUD_SECRET_KEY: "s" },
    "secretKey",
    "KCLOUD_SECRET_KEY",
    "SERVICE_ACCESS_KEY",
  ],
  [
    { KCLOUD_ACCESS_KEY: "AK1", SERVICE_SECRET_KEY: "s" },
    "accessKey",
    "KCLOUD_ACCESS_KEY",
    "SERVICE_SECRET_KEY",
  ],
  [
    { KCLOUD_EMAIL: "a@cloud.example", KCLOUD_PASSWORD: "s", SERVICE_ACCOUNT_USER: "true" },
    "accountUser",
    "SERVICE_ACCOUNT_USER",
    "KCLOUD_EMAIL",
  ],
])("parts of one credential with both prefixes are an error: %j", (environment, name, part, other) => {
  const problem = `the parts of one credential must have the same prefix, but ${part} and ${other} are set`;
  expect(() => gatherSettings({}, environment)).toThrow(new ConfigError([{ path: [name], problem }]));
  // A whole credential that is written makes those of the environment irrelevant.
  if (!["secretKey", "accessKey"].includes(name))
    expect(gatherSettings({ apiKey: "mine" }, environment)).toMatchObject({ apiKey: "mine" });
});

test("credentials with the prefix KCLOUD_ are sent only to the address with that prefix", () => {
  const environment = {
    KCLOUD_BASE_URL: "https://cloud.example",
    KCLOUD_API_KEY: "key-1",
    KCLOUD_OTP: "123456",
  };
  expect(gatherSettings({}, environment)).toMatchObject({ apiKey: "key-1", oneTimePassword: "123456" });
  const other = { SERVICE_BASE_URL: "https://other.example" };
  expect(gatherSettings({ apiKey: "mine" }, { ...environment, ...other }).oneTimePassword).toBeUndefined();
  expect(() => gatherSettings({}, { ...environment, ...other })).toThrow(
    new ConfigError([
      {
        path: ["apiKey"],
        problem:
          "is missing for https://other.example: the credentials in the environment are used only with its own KCLOUD_BASE_URL (https://cloud.example); set apiKey together with baseUrl, or unset KCLOUD_BASE_URL",
      },
    ]),
  );
});

test("SERVICE_OTP wins over KCLOUD_OTP, and a problem names the variable", () => {
  const password = (environment: NodeJS.ProcessEnv) => gatherSettings(whole, environment);
  expect(password({ SERVICE_OTP: "1", KCLOUD_OTP: "2" }).oneTimePassword).toBe("1");
  expect(password({ SERVICE_OTP: "", KCLOUD_OTP: "2" }).oneTimePassword).toBe("2");
  expect(problems(password({ KCLOUD_OTP: "12 34" }))).toEqual([" KCLOUD_OTP contains whitespace"]);
});

test("the profile is chosen by a variable with either prefix", () => {
  const problem = /there is no profile "a"|cannot be read/;
  expect(() => gatherSettings({}, { KCLOUD_PROFILE: "a", KCLOUD_PROFILE_FILE: "missing.json" })).toThrow(
    problem,
  );
  expect(() => gatherSettings({}, { SERVICE_PROFILE_FILE: "missing.json" })).toThrow(problem);
});
