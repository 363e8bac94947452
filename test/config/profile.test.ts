import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, jest, test } from "@jest/globals";
import { gatherSettings, resolveSettings } from "../../provider/config/config.ts";
import type { Given } from "../../provider/config/setting.ts";
import { ConfigError } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";

const homes: string[] = [];
afterAll(() => {
  for (const folder of homes) rmSync(folder, { recursive: true });
});

/** Creates a home folder whose profiles file has this content and mode. */
function home(content: unknown, mode = 0o600) {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-profile-"));
  homes.push(folder);
  mkdirSync(join(folder, ".config/kcloud"), { recursive: true });
  const file = join(folder, ".config/kcloud/profiles.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return { file, environment: { HOME: folder } };
}

function refusal(given: Given, environment: NodeJS.ProcessEnv): string[] {
  try {
    resolveSettings(gatherSettings(given, environment));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, problem }) => `${path.join(".")}: ${inWordsOf("terraform", problem)}`);
  }
}

const profiles = {
  default: { base_url: "https://cloud.example", api_key: "key-1", region: "In-Bangalore-1" },
  quiet: { region: "In-Hyderabad-1", max_requests_per_second: 2, default_tags: { team: "orders" } },
};

test("the profile named default provides settings that are neither given nor in the environment", () => {
  const { environment } = home(profiles);
  expect(gatherSettings({}, environment)).toEqual({
    baseUrl: "https://cloud.example",
    apiKey: "key-1",
    region: "In-Bangalore-1",
  });
  expect(gatherSettings({}, { ...environment, SERVICE_REGION: "colo-1" })).toMatchObject({
    region: "colo-1",
  });
  expect(gatherSettings({ region: "mine" }, { ...environment, SERVICE_REGION: "colo-1" })).toMatchObject({
    region: "mine",
  });
});

test("another profile is selected by name, in the block or in the environment", () => {
  const { environment, file } = home(profiles);
  const quiet = { region: "In-Hyderabad-1", maxRequestsPerSecond: 2, defaultTags: '{"team":"orders"}' };
  expect(gatherSettings({ profile: "quiet" }, environment)).toEqual({ profile: "quiet", ...quiet });
  expect(gatherSettings({}, { ...environment, SERVICE_PROFILE: "quiet" })).toMatchObject(quiet);
  expect(gatherSettings({ profile: "quiet", profileFile: file }, {})).toMatchObject(quiet);
});

test("profiles are in the configuration folder of the operating system", () => {
  const { environment } = home(profiles);
  const folder = join(environment.HOME, ".config");
  for (const variable of ["XDG_CONFIG_HOME", "APPDATA"])
    expect(gatherSettings({}, { [variable]: folder })).toMatchObject({ apiKey: "key-1" });
});

test("credentials of a profile are never mixed with others or sent to another address", () => {
  const { environment } = home(profiles);
  const own = { SERVICE_EMAIL: "a@cloud.example", SERVICE_PASSWORD: "secret" };
  expect(gatherSettings({}, { ...environment, ...own }).apiKey).toBeUndefined();
  expect(gatherSettings({ email: "a@cloud.example" }, environment).apiKey).toBeUndefined();
  expect(gatherSettings({ baseUrl: "https://other.example" }, environment).apiKey).toBeUndefined();
  expect(
    gatherSettings({}, { ...environment, SERVICE_BASE_URL: "https://other.example" }).apiKey,
  ).toBeUndefined();
  expect(gatherSettings({ baseUrl: "https://cloud.example" }, environment).apiKey).toBe("key-1");
});

test("without a profiles file there is no profile, and selecting one is an error", () => {
  expect(gatherSettings({}, {})).toEqual({});
  expect(gatherSettings({}, { HOME: "/nowhere" })).toEqual({});
  expect(refusal({ profile: "quiet" }, { HOME: "/nowhere" })).toEqual([
    "profile: /nowhere/.config/kcloud/profiles.json cannot be read",
  ]);
  expect(refusal({ profile: "quiet" }, {})).toEqual(["profile: the profile file cannot be read"]);
  expect(refusal({ profileFile: "/nowhere/p.json" }, {})).toEqual([
    "profile: /nowhere/p.json cannot be read",
  ]);
});

// Windows has no named pipes in its file system.
(process.platform === "win32" ? test.skip : test)(
  "a named pipe is refused instead of blocking the process",
  () => {
    const file = join(home({}).environment.HOME, "pipe");
    execFileSync("mkfifo", ["-m", "600", file]);
    expect(refusal({ profileFile: file }, {})).toEqual([`profile: ${file} cannot be read`]);
    const trusting = { baseUrl: "https://cloud.example", apiKey: "key-1", caCertFile: file };
    expect(refusal(trusting, {})).toEqual([`caCertFile: ${file} cannot be read`]);
  },
);

test("the error about an unknown profile names the most similar one", () => {
  const { file, environment } = home(profiles);
  expect(refusal({ profile: "quet" }, environment)).toEqual([
    `profile: there is no profile "quet" in ${file}; did you mean quiet?`,
  ]);
  expect(refusal({ profile: "__proto__" }, environment)).toEqual([
    `profile: there is no profile "__proto__" in ${file}`,
  ]);
});

test.each([
  ["not JSON", "{", (file: string) => [`${file} is not JSON`]],
  [
    "JSON of another shape",
    [1],
    (file: string) => [`${file} must contain settings by profile: {"default": {"base_url": "https://…"}}`],
  ],
  [
    "of unknown or wrong settings",
    { default: { regon: "x", adopt_existing: "yes", profile: "other" } },
    (file: string) => [
      `"default" in ${file}: regon is not a setting; did you mean region?`,
      `"default" in ${file}: profile is not a setting`,
      `"default" in ${file}: adopt_existing must be true or false`,
    ],
  ],
])("a file that is %s is rejected with its name", (_, content, problems) => {
  const { file, environment } = home(content);
  expect(refusal({}, environment)).toEqual(problems(file).map((problem) => `profile: ${problem}`));
});

test("a file with secrets that others may access is rejected; without secrets, others may read it", () => {
  for (const [mode, octal] of [
    [0o644, "644"],
    [0o620, "620"],
  ] as const) {
    const { file, environment } = home(profiles, mode);
    expect(refusal({}, environment)).toEqual([
      `profile: ${file} contains secrets and is accessible to other users (mode ${octal}): run chmod 600 ${file}`,
    ]);
  }
  const { environment } = home({ default: { region: "In-Hyderabad-1" } }, 0o644);
  expect(gatherSettings({}, environment)).toEqual({ region: "In-Hyderabad-1" });
});

test("a file with a command that prints one-time passwords is rejected if others may read it", () => {
  const content = { default: { region: "In-Hyderabad-1" }, admin: { otp_command: "oathtool abc" } };
  const { file, environment } = home(content, 0o640);
  expect(refusal({}, environment)).toEqual([
    `profile: ${file} contains secrets and is accessible to other users (mode 640): run chmod 600 ${file}`,
  ]);
  expect(gatherSettings({}, home(content, 0o600).environment)).toEqual({ region: "In-Hyderabad-1" });
});

test("a file that others may write is rejected even without secrets, because it may name a command and an address", () => {
  for (const [mode, octal] of [
    [0o664, "664"],
    [0o602, "602"],
  ] as const) {
    const { file, environment } = home({ default: { region: "In-Hyderabad-1" } }, mode);
    expect(refusal({}, environment)).toEqual([
      `profile: ${file} is writable by other users (mode ${octal}): run chmod go-w ${file}`,
    ]);
  }
});

test("a file of another user is rejected, one of root is not", () => {
  const { file, environment } = home(profiles);
  const { uid } = statSync(file);
  const own = jest.spyOn(process, "getuid").mockReturnValue(uid + 1);
  const problem = `${file} is owned by another user (uid ${uid}): use a file that you own`;
  expect(refusal({}, environment)).toEqual(uid === 0 ? [] : [`profile: ${problem}`]);
  own.mockRestore();
});

// Only root may change the owner of a file.
(process.getuid?.() === 0 ? test : test.skip)("root does not use a file of a user either", () => {
  const { file, environment } = home({ default: { region: "In-Hyderabad-1" } }, 0o644);
  chownSync(file, 12_345, 12_345);
  expect(refusal({}, environment)).toEqual([
    `profile: ${file} is owned by another user (uid 12345): use a file that you own`,
  ]);
});
