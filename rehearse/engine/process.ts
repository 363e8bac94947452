import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { CommandError } from "../../command/run.ts";
import { commandIn, type Root, refusedCode } from "../isolation/root.ts";
import { endTree } from "./process-tree.ts";

/** A run of an engine in the copy. */
export interface Ended {
  readonly code: number | null;
  /** Signal that ended it, if one did. */
  readonly signal?: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** True if the time limit ended it. */
  readonly isLate: boolean;
}

export interface RunOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Time limit in ms, after which the engine and what it started are stopped. */
  readonly limit: number;
  readonly stop: AbortSignal;
  /** Files and processes that the program sees; undefined for all of this machine. */
  readonly root: Root | undefined;
}

/**
 * Runs a program to its end. All that it started ends with it after a stop. Throws the error of a program that cannot start, and a
 * `CommandError` if the system does not make the root.
 */
export async function runEngine(
  program: string,
  args: readonly string[],
  { cwd, environment, limit, stop, root }: RunOptions,
): Promise<Ended> {
  stop.throwIfAborted();
  const [command = program, ...first] = root === undefined ? [] : [...commandIn(root, cwd), program];
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (part: string) => {
      output[name] += part;
    });
  }
  let isLate = false;
  const end = () => child.pid !== undefined && endTree(child.pid);
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limit);
  stop.addEventListener("abort", end);
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    stop.throwIfAborted();
    if (root !== undefined && code === refusedCode)
      throw new CommandError(`the engine cannot be isolated: ${output.stderr.trim()}`);
    // The shell that makes the root reports a signal as an exit code.
    const ended = signal ?? (root === undefined ? undefined : signalOf(code));
    return { code: ended ? null : code, ...(ended && { signal: ended }), ...output, isLate };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

/** Returns the signal of an exit code of a shell, which is 128 and its number. */
const signalOf = (code: number | null): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
