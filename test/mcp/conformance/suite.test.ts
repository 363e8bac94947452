import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { createAccounts } from "../../../mcp/account.ts";
import { type HttpServer, serveHttp } from "../../../mcp/http/http.ts";
import { root } from "../../repository/repository.ts";
import { program } from "../../support/engine/built.ts";
import { fixtureServer } from "./fixture.ts";
import { openProxy } from "./proxy.ts";

/** The official suite of the protocol (`npm run conformance`), through a proxy that adds the key. */

const suite = join(root, "tools/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Runs a scenario of the suite. Returns its exit code and its output. */
const scenario = (url: string, name: string): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const args = [suite, "server", "--url", url, "--scenario", name];
    execFile(process.execPath, args, { encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });

async function expectConform(url: string, name: string): Promise<void> {
  const { code, output } = await scenario(url, name);
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output}`);
  expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
}

describe("kcloud mcp", () => {
  const emulator = createEmulator({ taskMs: 0 });
  const ends: (() => unknown)[] = [];
  let url: string;

  beforeAll(async () => {
    const cloud = await emulator.listen();
    const child = spawn(program("kcloud"), ["mcp", "--http", "0"], {
      env: { PATH: process.env.PATH, SERVICE_BASE_URL: cloud.url, SERVICE_REGION: "In-Bangalore-1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const address = await new Promise<string>((resolve) => {
      let log = "";
      child.stderr.on("data", (part) => {
        log += part;
        const [, found] = /serves (\S+) with/.exec(log) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const proxy = await openProxy(address, "emulator-key");
    url = proxy.url;
    ends.push(proxy.close, () => child.kill(), cloud.close);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test.each([
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "logging-set-level",
    "dns-rebinding-protection",
  ])("%s", async (name) => {
    await expectConform(url, name);
  });
});

describe("the same transport with the tools of the suite", () => {
  let server: HttpServer;
  let proxy: Awaited<ReturnType<typeof openProxy>>;

  beforeAll(async () => {
    const openObjects = () => ({ problem: "there is no account" });
    server = await serveHttp({
      ...{ host: "127.0.0.1", port: 0, tls: undefined, hostNames: [], log: () => {} },
      accounts: createAccounts({}, { openObjects }),
      serverOf: fixtureServer,
    });
    proxy = await openProxy(server.url, "any-key");
  });
  afterAll(async () => {
    proxy.close();
    await server.close();
  });

  test.each([
    ...["server-initialize", "logging-set-level", "ping", "completion-complete", "tools-list"],
    ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
    ...[
      "tools-call-mixed-content",
      "tools-call-with-logging",
      "tools-call-error",
      "tools-call-with-progress",
    ],
    ...[
      "tools-call-sampling",
      "tools-call-elicitation",
      "json-schema-2020-12",
      "elicitation-sep1034-defaults",
    ],
    ...["server-sse-multiple-streams", "elicitation-sep1330-enums", "resources-list"],
    ...["resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe"],
    ...["resources-unsubscribe", "prompts-list", "prompts-get-simple", "prompts-get-with-args"],
    ...["prompts-get-embedded-resource", "prompts-get-with-image", "dns-rebinding-protection"],
  ])("%s", async (name) => {
    await expectConform(proxy.url, name);
  });

  test("server-sse-polling: a stream cannot be resumed, which the suite only warns of", async () => {
    const { code, output } = await scenario(proxy.url, "server-sse-polling");
    expect([code, output]).toEqual([0, expect.stringContaining("0 failed, 2 warnings")]);
  });
});
