import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { settingsIn } from "../../../mcp/object/setting.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-setting-"));
});
afterAll(() => rm(folder, { recursive: true }));

const token = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJ1In0", "c2ln"].join(".");
const SERVICE_BASE_URL = "https://cloud.example";

test("the key of the environment may have the prefix of its header, twice too", () => {
  expect(settingsIn({ SERVICE_BASE_URL, SERVICE_API_KEY: "Bearer Bearer k", SERVICE_REGION: "r" })).toEqual({
    given: { baseUrl: SERVICE_BASE_URL, apiKey: "k", region: "r", oneTimePassword: undefined },
    address: SERVICE_BASE_URL,
    region: "r",
    notices: ['SERVICE_API_KEY has "Bearer " in front of the API key: the key is used without it.'],
  });
});

test("a console access token is refused, in a profile too", async () => {
  const problem =
    "Invalid API key: a console access token is not accepted in place of the API key: create an API key in the console.";
  expect(settingsIn({ SERVICE_BASE_URL, SERVICE_API_KEY: token })).toEqual({ problem });
  const file = join(folder, "profiles.json");
  await writeFile(file, JSON.stringify({ default: { base_url: SERVICE_BASE_URL, api_key: token } }), {
    mode: 0o600,
  });
  expect(settingsIn({ SERVICE_PROFILE_FILE: file })).toEqual({ problem });
});

test("an invalid setting is a problem as a text, without the value of the key", () => {
  expect(settingsIn({ SERVICE_BASE_URL: "cloud", SERVICE_API_KEY: "k" })).toEqual({
    problem: expect.stringContaining("is not an address such as https://cloud.example"),
  });
});
