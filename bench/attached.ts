import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { forgetPeak, memoryOf, processorTimeOf } from "./process.ts";
import type { Workspace } from "./workspace.ts";

/** Starts a plugin process to which engines attach, and measures its memory and its processor time (Linux). */

export interface Attached {
  readonly pid: number;
  readonly environment: Readonly<Record<string, string>>;
  end(): Promise<unknown>;
}

/** Starts a plugin that waits for engines, as under a debugger. */
export async function attach(
  plugin: string,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Attached> {
  const child: ChildProcess = spawn(process.execPath, [...flags, plugin, "--debug"], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { stdout, pid } = child;
  if (stdout === null || pid === undefined) throw new Error("the plugin did not start");
  for await (const line of createInterface({ input: stdout })) {
    const reattach = /TF_REATTACH_PROVIDERS='(.+)'/.exec(line)?.[1];
    if (reattach === undefined) continue;
    return {
      pid,
      environment: { TF_REATTACH_PROVIDERS: reattach },
      end: () => {
        child.kill();
        return once(child, "exit");
      },
    };
  }
  throw new Error("the plugin did not print its address");
}

/** Starts a plugin, loads it with a `validate`, and calls `measure` with its process and the variables to attach to it. */
async function withPlugin<T>(
  file: string,
  workspace: Workspace,
  settings: Readonly<Record<string, string>>,
  measure: (plugin: Attached) => Promise<T>,
): Promise<T> {
  const plugin = await attach(file, settings);
  try {
    await workspace.timeWith(plugin.environment, "validate");
    return await measure(plugin);
  } finally {
    await plugin.end();
  }
}

/**
 * Returns the memory in MB of a new plugin after a `validate`, and the ratio of its peak during a command to this
 * memory.
 */
export const growth = (
  file: string,
  workspace: Workspace,
  settings: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<{ idle: number; ratio: number }> =>
  withPlugin(file, workspace, settings, async ({ pid, environment }) => {
    const { now: idle } = await memoryOf(pid);
    await forgetPeak(pid);
    await workspace.timeWith(environment, ...command);
    return { idle, ratio: (await memoryOf(pid)).peak / idle };
  });

/** Returns the processor time in ms of a new plugin during a command, after a `validate`. */
export const processorTime = (
  file: string,
  workspace: Workspace,
  settings: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<number> =>
  withPlugin(file, workspace, settings, async ({ pid, environment }) => {
    const before = await processorTimeOf(pid);
    await workspace.timeWith(environment, ...command);
    return (await processorTimeOf(pid)) - before;
  });
