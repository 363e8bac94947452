import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../emulator/emulator.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { configure, type Folder, openFolder, succeed } from "../support/engine/terraform.ts";

/**
 * Commands under `kcloud emulator -- COMMAND`, whose variables these tests set, with a real-looking address in each place
 * that takes precedence over the environment. A canary behind that address counts its connections.
 */

const terraform = await ensureEngine("terraform");
const pulumi = await ensureEngine("pulumi");

const emulator = createEmulator({ taskMs: 50 });
/** Cloud that must not change. */
const real = createEmulator({ taskMs: 50 });
let connections = 0;
const canary = createServer(() => {});
canary.on("connection", (socket) => {
  connections += 1;
  socket.destroy();
});

const closers: (() => Promise<unknown> | unknown)[] = [];
let folder = "";
let away = "";
let realUrl = "";
let locked: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-lock-"));
  const here = await emulator.listen();
  const there = await real.listen();
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  closers.push(
    here.close,
    there.close,
    () => canary.close(),
    () => rm(folder, { recursive: true }),
  );
  away = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  realUrl = there.url;
  locked = {
    KCLOUD_ONLY: here.url,
    SERVICE_BASE_URL: here.url,
    SERVICE_API_KEY: "emulator-key",
    SERVICE_REGION: "In-Bangalore-1",
    SERVICE_MAX_REQUESTS_PER_SECOND: "0",
  };
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** Returns the texts of an output in one line, without the frame of a diagnostic. */
const plain = (output: string): string => output.replaceAll(/[│╷╵\s]+/g, " ");
const refusal = (address: string) =>
  `${address} is not allowed: KCLOUD_ONLY allows only ${locked.KCLOUD_ONLY}`;
const vpc = { resource: { kcloud_vpc: { shop: { name: "shop" } } } };
const unlocked = () => ({ KCLOUD_ONLY: realUrl, SERVICE_BASE_URL: realUrl });
const changes = () => real.log.entries().filter(({ method }) => method !== "GET").length;

async function terraformFolder(name: string): Promise<Folder> {
  const path = await mkdtemp(join(folder, `${name}-`));
  return openFolder(terraform, path, locked);
}

test("Terraform refuses an address in the configuration, a profile and a saved plan before it opens a socket", async () => {
  const work = await terraformFolder("terraform");
  await configure(work, vpc);
  await succeed(work, ["init"]);
  const provider = { kcloud: { base_url: away, api_key: "real-key" } };
  await configure(work, { ...vpc, provider });
  const written = await work.run(["apply", "-auto-approve", "-no-color"]);
  expect(written.code).toBe(1);
  expect(plain(written.output)).toContain(refusal(away));

  const file = join(work.path, "profiles.json");
  await writeFile(file, JSON.stringify({ default: { base_url: away, api_key: "real-key" } }), {
    mode: 0o600,
  });
  await configure(work, vpc);
  const environment = { SERVICE_PROFILE_FILE: file, SERVICE_BASE_URL: "" };
  const stored = await work.run(["plan", "-no-color"], { environment });
  expect(stored.code).toBe(1);
  expect(plain(stored.output)).toContain(refusal(away));

  await configure(work, { ...vpc, provider: { kcloud: { base_url: realUrl, api_key: "emulator-key" } } });
  await succeed(work, ["plan", "-out=planned"], { environment: unlocked() });
  const before = changes();
  const planned = await work.run(["apply", "-no-color", "planned"]);
  expect(planned.code).toBe(1);
  expect(plain(planned.output)).toContain(refusal(realUrl));
  expect([connections, changes() - before]).toEqual([0, 0]);
});

test("Terraform uses the emulator and its key if the configuration has only a real key", async () => {
  const work = await terraformFolder("key");
  await configure(work, { ...vpc, provider: { kcloud: { api_key: "real-key" } } });
  await succeed(work, ["init"]);
  await succeed(work, ["apply", "-auto-approve"]);
  expect(emulator.inventory.list().map(({ kind }) => kind)).toContain("vpc");
});

const project = async (name: string): Promise<Project> => openProject(pulumi, join(folder, name), locked);

test.each(["pulumi", "dynamic"] as const)(
  "%s refuses an address in the stack's configuration",
  async (kind) => {
    const work = await project(kind);
    await work.write(kind, [{ name: "net", resource: "vpc", inputs: { name: "net" } }]);
    await work.done("config", "set", "kcloud:baseUrl", away);
    await work.done("config", "set", "kcloud:apiKey", "--secret", "real-key");
    const { code, output } = await work.run(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(plain(output)).toContain(refusal(away));
    expect(connections).toBe(0);
  },
);

test("Pulumi refuses the address of an explicit provider in the state, and destroys nothing there", async () => {
  const work = await project("explicit");
  await work.program(`
    const { Provider, Vpc } = require("@kcloud/iac/pulumi");
    const provider = new Provider("far", { baseUrl: ${JSON.stringify(realUrl)}, apiKey: "emulator-key" });
    new Vpc("net", { name: "net" }, { provider });
  `);
  const made = await work.run(["up", "--yes", "--skip-preview"], { environment: unlocked() });
  if (made.code !== 0) throw new Error(made.output);
  const before = changes();
  const { code, output } = await work.run(["destroy", "--yes", "--skip-preview"]);
  expect(code).not.toBe(0);
  expect(plain(output)).toContain(refusal(realUrl));
  expect(changes() - before).toBe(0);
  expect(real.inventory.list().map(({ kind }) => kind)).toContain("vpc");
});
