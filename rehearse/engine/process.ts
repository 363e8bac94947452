import { spawn } from "node:child_process";
import { once } from "node:events";
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
}

/** Runs a program to its end. All that it started ends with it after a stop. Throws the error of a program that cannot start. */
export async function runEngine(
  program: string,
  args: readonly string[],
  { cwd, environment, limit, stop }: RunOptions,
): Promise<Ended> {
  stop.throwIfAborted();
  const child = spawn(program, args, {
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
    const [code, signal] = await once(child, "close");
    stop.throwIfAborted();
    return { code: code as number | null, ...(signal && { signal: String(signal) }), ...output, isLate };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}
