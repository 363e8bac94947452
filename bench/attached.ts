import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { forgetPeak, memoryOf, processorTimeOf } from "./process.ts";
import type { Workspace } from "./workspace.ts";

/** A plugin process to which an engine attaches, its memory and its processor time (Linux). */

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
  throw new Error("the plugin did not say where it listens");
}

/**
 * Returns the memory in MB of a new plugin after a `validate`, and the ratio of its peak during a command to this
 * memory.
 */
export async function growth(
  file: string,
  workspace: Workspace,
  settings: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<{ idle: number; ratio: number }> {
  const plugin = await attach(file, settings);
  try {
    await workspace.timeWith(plugin.environment, "validate");
    const { now: idle } = await memoryOf(plugin.pid);
    await forgetPeak(plugin.pid);
    await workspace.timeWith(plugin.environment, ...command);
    return { idle, ratio: (await memoryOf(plugin.pid)).peak / idle };
  } finally {
    await plugin.end();
  }
}

/** Returns the processor time in ms that a new plugin takes for a command, after a `validate` has loaded it. */
export async function processorTime(
  file: string,
  workspace: Workspace,
  settings: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<number> {
  const plugin = await attach(file, settings);
  try {
    await workspace.timeWith(plugin.environment, "validate");
    const before = await processorTimeOf(plugin.pid);
    await workspace.timeWith(plugin.environment, ...command);
    return (await processorTimeOf(plugin.pid)) - before;
  } finally {
    await plugin.end();
  }
}
