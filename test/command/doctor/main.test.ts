import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { doctor, script, serve, setUp } from "./setup.ts";

test("under KCLOUD_ONLY nothing is sent to another address, and an invalid value is a failed check", async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: "key-1" };
  const other = await doctor({ ...environment, KCLOUD_ONLY: "https://cloud.example" });
  const wrong = await doctor({ ...environment, KCLOUD_ONLY: "" });
  expect([other.code, wrong.code, requests]).toEqual([1, 1, 0]);
  expect(other.stdout).toMatch(/is not allowed: KCLOUD_ONLY allows only https:\/\/cloud\.example/);
  expect(wrong.stdout).toContain("FAILED  settings         KCLOUD_ONLY is empty");
  expect(wrong.stdout).toContain("Correct or unset KCLOUD_ONLY.");
});

test("secrets of both prefixes are redacted in the texts of servers and programs", async () => {
  const secrets = {
    SERVICE_API_KEY: "first-secret-1",
    KCLOUD_API_KEY: "second-secret-2",
    KCLOUD_PASSWORD: "third-secret-3",
    SERVICE_SECRET_KEY: "fourth-secret-4",
    SERVICE_ACCESS_KEY: "AK1",
    KCLOUD_OTP: "fifth-secret-5",
  };
  const words = Object.values(secrets).filter((word) => word !== "AK1");
  const url = await serve((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: words.join(" ") }));
  });
  script("terraform", `echo "${words.join(" ")}" >&2; exit 1`);
  for (const args of [[], ["--json"]]) {
    const { code, stdout, stderr } = await doctor({ SERVICE_BASE_URL: url, ...secrets }, ...args);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout.match(/(\*\*\* ){4}\*\*\*/g)).toHaveLength(2);
    for (const word of words) expect(stdout).not.toContain(word);
  }
});

test("--json has the same checks", async () => {
  const environment = { ...(await setUp()), SERVICE_API_KEY: "not-this-key" };
  const { code, stdout } = await doctor(environment, "--json");
  const { version, ok, checks } = JSON.parse(stdout);
  expect([code, version, ok]).toEqual([1, manifest.version, false]);
  expect(checks).toContainEqual({ check: "address", status: "ok", text: "ADDRESS is reachable" });
  expect(checks).toContainEqual({
    check: "credentials",
    status: "failed",
    text: expect.stringContaining("the API key was rejected"),
    remedy: "Set a valid SERVICE_API_KEY.",
  });
});
