import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { UsageError } from "../../../command/argument.ts";
import { createEmulator } from "../../../emulator/emulator.ts";
import { addressOf } from "../../../mcp/command/main.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { program } from "../../support/engine/built.ts";
import { isRunning, untilRunning } from "../../support/engine/process.ts";
import { type Message, opening } from "../client.ts";
import { startServer } from "../process.ts";

/** `kcloud mcp` as a process: the handshake of a client, one session over HTTP, and the tools of a folder with a real engine. */

const emulator = createEmulator({ taskMs: 0 });
let url: string;
let close: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  ({ url, close } = await emulator.listen());
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-main-"));
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

const key = "emulator-key";
const environment = () => ({
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: folder,
  SERVICE_BASE_URL: url,
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_ACCOUNT_ID: "000000000000",
});

const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  startServer(args, { ...environment(), ...more });

test("a client on standard input and output looks up an object, and the process ends with its input", async () => {
  const { child, output, ended, ask, call } = start([], { SERVICE_API_KEY: `Bearer Bearer ${key}` });
  expect((await ask("initialize", opening)).result).toMatchObject({
    protocolVersion: opening.protocolVersion,
    serverInfo: { name: "kcloud" },
  });
  expect((await ask("tools/list")).result.tools.length).toBeGreaterThan(5);
  const { structuredContent } = await call("list_objects", { kind: "instance-type" });
  expect(structuredContent.objects).toContainEqual(expect.objectContaining({ name: "c1.small" }));
  expect((await call("describe_server")).structuredContent).toMatchObject({
    address: url,
    transport: "stdio",
  });
  if (process.platform === "linux")
    expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).not.toContain(key);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(output.log).toBe(
    'kcloud mcp: SERVICE_API_KEY has "Bearer " in front of the API key: the key is used without it\n',
  );
  expect(output.text).not.toContain(key);
});

test("without a key, pages can be read, and a look-up says what is missing", async () => {
  const { child, ended, ask, call } = start([]);
  await ask("initialize", opening);
  expect((await call("read_page", { page: "guides/secrets" })).structuredContent.title).toBe("Secrets");
  const missing = await call("list_objects", { kind: "vpc" });
  expect([missing.isError, missing.structuredContent.error]).toEqual([
    true,
    expect.stringMatching(/^Missing api_key: .* set api_key or SERVICE_API_KEY/),
  ]);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("%s ends the server", async (signal, code) => {
  const { child, ended, ask } = start([]);
  await ask("initialize", opening);
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
});

test("a client over HTTP has a session with its own key, and the server ends at a signal", async () => {
  const { child, output, ended } = start(["--http", "0"], { SERVICE_API_KEY: "other-key" });
  const address = await new Promise<string>((resolve) => {
    child.stderr.on("data", () => {
      const [, found] = /serves (\S+) with/.exec(output.log) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  let session = "";
  const ask = async (method: string, params: object, bearer = key) => {
    const response = await fetch(address, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bearer}`,
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...(session !== "" && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    session ||= response.headers.get("mcp-session-id") ?? "";
    const text = await response.text();
    return {
      status: response.status,
      text,
      message: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message,
    };
  };
  await ask("initialize", opening);
  const found = await ask("tools/call", { name: "list_objects", arguments: { kind: "instance-type" } });
  expect(found.message.result.structuredContent.count).toBe(4);
  expect((await ask("tools/list", {}, "stolen")).status).toBe(404);
  session = "";
  await ask("initialize", opening, "wrong-canary-key");
  const rejected = await ask(
    "tools/call",
    { name: "list_objects", arguments: { kind: "vpc" } },
    "wrong-canary-key",
  );
  expect(rejected.message.result).toMatchObject({
    isError: true,
    structuredContent: { error: expect.stringContaining("The API rejected the API key.") },
  });
  child.kill("SIGTERM");
  expect(await ended).toEqual([143, null]);
  expect(output.text).toBe("");
  for (const text of [output.log, found.text, rejected.text])
    expect(text).not.toMatch(/emulator-key|canary-key|other-key/);
});

const configuration = `terraform {
  required_providers { kcloud = { source = "registry.terraform.io/kcloud/kcloud" } }
}
resource "kcloud_vpc" "net" {
  name = "net"
}
resource "kcloud_volume" "data" {
  vpc_id      = kcloud_vpc.net.id
  name        = "data"
  size_gb     = 20
  volume_type = "ssd"
  description = var.token
}
variable "token" {
  default   = "canary-sensitive-value"
  sensitive = true
}
`;

test("the tools of a folder validate, plan, rehearse and review it in an emulator, and send nothing to the cloud", async () => {
  const engine = await ensureEngine("terraform");
  const work = join(folder, "work");
  await mkdirWith(work, {
    "main.tf": configuration,
  });
  emulator.log.clear();
  const { child, ended, ask, call, notified, output } = start(["--folder", work, "--engine", engine.path], {
    SERVICE_API_KEY: "canary-cloud-key",
  });
  await ask("initialize", opening);
  const names = (await ask("tools/list")).result.tools.map(({ name }: { name: string }) => name);
  expect(names.slice(-5)).toEqual(["validate", "plan", "rehearse", "review", "verdict"]);
  expect((await call("validate")).structuredContent).toEqual({ isValid: true, messages: [] });
  const { structuredContent: plan } = await call("plan", {}, { _meta: { progressToken: 1 } });
  expect(plan.changes).toMatchObject([
    { address: "kcloud_volume.data", action: "create" },
    { address: "kcloud_vpc.net", action: "create" },
  ]);
  expect(notified.map(({ params }) => params?.message)).toEqual(expect.arrayContaining(["planning, 0 s"]));
  const { structuredContent: rehearsal } = await call("rehearse");
  expect(rehearsal).toMatchObject({ isComplete: true, secondPlan: [], steps_count: 2 });
  const { structuredContent: review } = await call("review");
  expect(review).toMatchObject({ verdict: { code: 0 }, changes_count: 2 });
  expect((await call("verdict")).structuredContent).toMatchObject({ verdict: { code: 0 } });
  await writeFile(join(work, "main.tf"), configuration.replace("size_gb", "sise_gb"));
  const failed = await call("plan");
  expect([failed.isError, failed.structuredContent.error]).toEqual([
    true,
    expect.stringContaining("sise_gb"),
  ]);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(emulator.log.entries()).toEqual([]);
  expect(output.text + output.log).not.toMatch(/canary-(cloud-key|sensitive-value)/);
});

test("a rehearsal ends when its client leaves", async () => {
  const work = join(folder, "slow");
  const slow = join(folder, "slow-engine");
  const command = `sleep 60.${process.pid}`;
  await mkdirWith(work, { "main.tf": "" });
  await writeFile(slow, `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 });
  const { child, ended, ask, call } = start(["--folder", work, "--engine", slow, "--allow-unconfined"]);
  await ask("initialize", opening);
  void call("rehearse");
  await untilRunning(command);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(isRunning(command)).toBe(false);
});

test("on a machine without isolation the tools of a folder refuse, and with the option each result says so", async () => {
  const engine = await ensureEngine("terraform");
  const work = join(folder, "open");
  await mkdirWith(work, { "main.tf": configuration });
  // The commands that isolate are not on PATH.
  const PATH = dirname(process.execPath);
  const unconfined =
    /^programs have the network, files and processes of this machine.*\(unshare is not installed\)/;
  for (const options of [[], ["--allow-unconfined"]]) {
    const { child, ended, ask, call } = start(["--folder", work, "--engine", engine.path, ...options], {
      PATH,
    });
    await ask("initialize", opening);
    const { isError = false, structuredContent } = await call("validate");
    if (options.length === 0) {
      expect([isError, structuredContent.error]).toEqual([true, expect.stringMatching(unconfined)]);
      expect(structuredContent.error).toContain("with the option --allow-unconfined");
    } else {
      const expected = { isValid: true, messages: [], unconfined: expect.stringMatching(unconfined) };
      expect([isError, structuredContent]).toEqual([false, expected]);
    }
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  }
});

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln";

test.each([
  [["--http", "x"], {}, 2, '--http must be [HOST:]PORT, not "x"'],
  [["--http", "0.0.0.0:8080"], {}, 2, "0.0.0.0 is not the loopback, and API keys would be readable"],
  [["--http", "0.0.0.0:8080", "--behind-proxy"], {}, 2, "--allow-host NAME is missing"],
  [["--http", "8080", "--folder", "."], {}, 2, "--folder is not for --http"],
  [["--http", "8080", "--tls-cert", "x"], {}, 2, "--tls-cert and --tls-key belong together"],
  [["--http", "8080", "--tls-cert", "/none", "--tls-key", "/none"], {}, 1, "/none cannot be read (ENOENT)"],
  [["--http", "8080"], {}, 1, "the address of the API is missing: set SERVICE_BASE_URL"],
  [["--behind-proxy"], {}, 2, "--behind-proxy is for --http"],
  [["--policy", "."], {}, 2, "--policy is for --folder"],
  [["--allow-unconfined"], {}, 2, "--allow-unconfined is for --folder"],
  [["--http", "8080", "--allow-unconfined"], {}, 2, "--allow-unconfined is not for --http"],
  [["--folder", "/none"], {}, 2, "--folder /none is no folder"],
  [["more"], {}, 2, 'unexpected argument "more"'],
  [
    [],
    { SERVICE_API_KEY: token },
    1,
    "SERVICE_API_KEY: a console access token is not accepted in place of the API key",
  ],
  [[], { KCLOUD_API_KEY: `Bearer ${token}` }, 1, "KCLOUD_API_KEY: a console access token is not accepted"],
] as const)("kcloud mcp %j with %j ends with %d: %s", (args, given, code, message) => {
  const env = { PATH: environment().PATH, ...given };
  const ran = spawnSync(program("kcloud"), ["mcp", ...args], { encoding: "utf8", env });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([
    code,
    "",
    expect.stringContaining(`kcloud mcp: ${message}`),
  ]);
  expect(ran.stderr).not.toContain(token);
});

test.each([
  ["8080", { host: "127.0.0.1", port: 8080 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:80", { host: "::1", port: 80 }],
])("%s is an address", (text, address) => {
  expect(addressOf(text)).toEqual(address);
});

test.each(["", "65536", "host:", "::1:80", "a b:1", "80:90:100"])("%j is no address", (text) => {
  expect(() => addressOf(text)).toThrow(UsageError);
});

async function mkdirWith(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
}
