import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { customer } from "../../../emulator/state/id.ts";
import { engine, openSession } from "../../../provider/engine/engine.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { publicKey } from "../../resources/public-key.ts";
import { resource } from "../../support/cloud.ts";
import { program } from "../../support/engine/built.ts";
import { ensurePython } from "../../support/engine/python.ts";

/** The client of PyPI over both transports, with both kinds of versions of the protocol: every tool that reads, and a delete. */

const emulator = createEmulator({ taskMs: 0, assume: { otpRequired: false } });
const key = "emulator-key";
let python: string;
let cloud: Awaited<ReturnType<typeof emulator.listen>>;
const environment = () => ({
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  SERVICE_BASE_URL: cloud.url,
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_ACCOUNT_ID: "000000000000",
});

beforeAll(async () => {
  const requirements = join(import.meta.dirname, "requirements.txt");
  python = join(await ensurePython({ requirements, program: "mcp" }), "bin/python");
  cloud = await emulator.listen();
  const given = { baseUrl: cloud.url, apiKey: key, region: "In-Bangalore-1" };
  const call = { stop: new AbortController().signal };
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  await engine.create(openSession(given, realPorts), resource("vpc"), inputs, call);
}, 300_000);
afterAll(() => cloud.close());

/** Runs the client. Returns what it printed. */
async function runClient(given: object) {
  const child = spawn(python, [join(import.meta.dirname, "client.py")], { stdio: ["pipe", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (part: string) => {
      output[name] += part;
    });
  child.stdin.end(JSON.stringify(given));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(output.stderr);
  expect(output.stderr).not.toContain(key);
  return JSON.parse(output.stdout);
}

const calls = [
  ["describe_server", {}],
  ["list_kinds", {}],
  ["describe_kind", { kind: "volume" }],
  ["list_objects", { kind: "vpc" }],
  ["get_object", { kind: "instance-type", attributes: { name: "c1.small" } }],
  ["list_account", { kinds: ["vpc", "subnet"] }],
  ["search_pages", { query: "secrets" }],
  ["read_page", { page: "guides/secrets" }],
  ["list_objects", { kind: "volume" }],
];

async function expectCalls(server: object, mode: string, version: string): Promise<void> {
  const found = await runClient({ server, mode, calls });
  expect(found.version).toBe(version);
  const names = new Set(calls.map(([name]) => name));
  expect(found.tools.filter((name: string) => !names.has(name))).toEqual([]);
  expect(found.tools.length).toBe(names.size);
  expect(found.results.map(({ is_error: isError }: { is_error: boolean }) => isError)).toEqual(
    calls.map((_, index) => index === calls.length - 1),
  );
  expect(found.results[0].content).toMatchObject({ address: cloud.url, is_read_only: true });
  expect(found.results[3].content.count).toBeGreaterThan(0);
  expect(found.results[4].content.object).toMatchObject({ name: "c1.small" });
  expect(found.progress.at(-1)).toMatch(/^\d+ of \d+ listings/);
  expect([found.resources, found.prompt]).toEqual([100, 1]);
  expect(found.page).toContain("page_title");
}

/** Number of SSH keys that were created; no two are equal. */
let keys = 0;

/** Destroys an SSH key with an answer of the user of the client. */
async function expectDestruction(server: object, mode: string, version: string): Promise<void> {
  const name = `key-${mode}-${"url" in server ? "http" : "stdio"}`;
  keys += 1;
  const found = await runClient({ server, mode, name, public_key: publicKey(keys) });
  expect(found.version).toBe(version);
  expect(found.asked).toEqual([
    expect.stringContaining("delete_ssh_key: Deletes"),
    expect.stringMatching(new RegExp(`Object: "[\\da-f-]{36}".*named "${name}"`)),
  ]);
  expect(found.results).toEqual([
    { error: expect.stringMatching(/^The user did not confirm\..*Nothing was sent\.$/) },
    expect.objectContaining({ operation: "delete_ssh_key", result: "accepted" }),
  ]);
}

const versions = [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const;

test.each(versions)("over standard input and output, in the mode %s", async (mode, version) => {
  const env = { ...environment(), SERVICE_API_KEY: key };
  await expectCalls({ command: program("kcloud"), args: ["mcp"], env }, mode, version);
});

test.each(versions)(
  "a user is asked over standard input and output, in the mode %s",
  async (mode, version) => {
    const env = { ...environment(), SERVICE_API_KEY: key, SERVICE_CUSTOMER_ID: customer };
    await expectDestruction(
      { command: program("kcloud"), args: ["mcp", "--allow-writes"], env },
      mode,
      version,
    );
  },
);

/** Serves over HTTP while work runs. */
async function serving(args: readonly string[], work: (url: string) => Promise<void>): Promise<void> {
  const child = spawn(program("kcloud"), ["mcp", "--http", "0", ...args], {
    env: { ...environment(), SERVICE_CUSTOMER_ID: customer },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((resolve) => {
    let log = "";
    child.stderr.on("data", (part) => {
      log += part;
      const [, found] = /serves (\S+) with/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  try {
    await work(url);
  } finally {
    child.kill();
  }
}

test.each(versions)("over HTTP, in the mode %s", (mode, version) =>
  serving([], (url) => expectCalls({ url, key }, mode, version)),
);

test.each(versions)("a user is asked over HTTP, in the mode %s", (mode, version) =>
  serving(["--allow-writes"], (url) => expectDestruction({ url, key }, mode, version)),
);
