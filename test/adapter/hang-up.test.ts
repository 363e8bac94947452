import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { openProject } from "../support/engine/pulumi.ts";
import { settingsOf } from "../support/engine/site.ts";
import { configure, succeed } from "../support/engine/terraform.ts";

/** SIGHUP while four creates are in flight: engines survive it under `nohup`, and so do their plugins. */

const terraform = await ensureEngine("terraform");
const pulumi = await ensureEngine("pulumi");

const names = ["one", "two", "three", "four"];

const site = openSite({ latencyMs: 4_000 });
const { emulator } = site;

const vpcs = () => emulator.inventory.list().filter(({ kind }) => kind === "vpc");

/** Waits until the API has executed all creates, whose responses are still on their way. */
async function untilInFlight(child: ChildProcess): Promise<void> {
  while (vpcs().length < names.length) {
    if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`);
    await pause(20);
  }
}

/** Sends SIGHUP to the processes that run a program with this folder in their environment. Returns their number. */
function hangUp(program: string, path: string): number {
  const pids = readdirSync("/proc").filter((pid) => {
    const part = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
    try {
      return /^\d+$/.test(pid) && part("cmdline").includes(program) && part("environ").includes(path);
    } catch {
      return false;
    }
  });
  for (const pid of pids) process.kill(Number(pid), "SIGHUP");
  return pids.length;
}

async function terraformFolder() {
  const work = await site.open(terraform);
  const kcloud_vpc = Object.fromEntries(names.map((name) => [name, { name }]));
  await configure(work, { resource: { kcloud_vpc } });
  await succeed(work, ["init"]);
  const { path } = work;
  return { work, options: { cwd: path, env: { ...process.env, ...terraform.env, ...variables(path) } } };
}

const variables = (path: string) => ({
  ...settingsOf(site.url),
  HOME: path,
  TF_CLI_CONFIG_FILE: join(path, ".mirror/engine.rc"),
  TF_IN_AUTOMATION: "1",
  CHECKPOINT_DISABLE: "1",
});

test("SIGHUP to an apply under nohup loses no object", async () => {
  const { work, options } = await terraformFolder();
  const child = spawn("nohup", [terraform.path, "apply", "-auto-approve", "-no-color"], {
    ...options,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(child, "exit");
  await untilInFlight(child);
  process.kill(-(child.pid ?? 0), "SIGHUP");
  expect(await ended).toEqual([0, null]);
  expect(vpcs()).toHaveLength(names.length);
  expect((await succeed(work, ["state", "list"])).trim().split("\n")).toHaveLength(names.length);
});

test("a terminal that closes during an apply under nohup loses no object", async () => {
  const { work, options } = await terraformFolder();
  // `script` runs a command in a pseudo-terminal, which closes when it is killed.
  const line = `nohup '${terraform.path}' apply -auto-approve -no-color`;
  const terminal = spawn("script", ["-qfec", line, "/dev/null"], {
    ...options,
    stdio: "ignore",
  });
  await untilInFlight(terminal);
  terminal.kill("SIGKILL");
  // The lock is removed after the last write of the state.
  const isRunning = () => existsSync(join(work.path, ".terraform.tfstate.lock.info"));
  for (const until = Date.now() + 60_000; isRunning() && Date.now() < until; ) await pause(50);
  expect(isRunning()).toBe(false);
  expect(vpcs()).toHaveLength(names.length);
  expect((await succeed(work, ["state", "list"])).trim().split("\n")).toHaveLength(names.length);
});

test.each([
  ["pulumi", "pulumi-resource-kcloud"],
  ["dynamic", "dynamic-provider"],
] as const)("SIGHUP to the plugin of pulumi up (%s) loses no object", async (kind, program) => {
  const project = await openProject(pulumi, await site.folder(), settingsOf(site.url));
  await project.write(
    kind,
    names.map((name) => ({ name, resource: "vpc", inputs: { name } })),
  );
  let isOver = false;
  const running = project.run(["up", "--yes", "--skip-preview"]).finally(() => {
    isOver = true;
  });
  while (vpcs().length < names.length && !isOver) await pause(20);
  expect(hangUp(program, project.path)).toBeGreaterThan(0);
  const { code, output } = await running;
  if (code !== 0) throw new Error(output);
  expect(vpcs()).toHaveLength(names.length);
  expect((await project.state()).filter(({ id }) => id?.includes(":vpc:"))).toHaveLength(names.length);
});
