import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { type Progress, seconds } from "./progress.ts";

/** How to run a command, and who hears of it. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the status lines begin with. */
  readonly label: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended: `status` is its exit code, null after a signal, and undefined when there is no such command. */
export interface CommandResult {
  readonly status: number | null | undefined;
  readonly output: readonly string[];
}

/** Runs a command to its end and shows the last line it wrote once a second. Throws the signal's reason after an abort. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const start = Date.now();
  const output: string[] = [];
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => void child.kill("SIGINT");
  options.signal?.addEventListener("abort", stop);
  const timer = setInterval(() => {
    options.progress.status(
      `${options.label}: ${seconds(start)}${output.length ? `, ${output.at(-1)}` : ""}`,
    );
  }, 1000);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => void output.push(line));
  }
  try {
    const status = await new Promise<number | null | undefined>((resolve, reject) => {
      child.once("close", (code) => resolve(code));
      // A grandchild may hold the pipes open; nobody waits for it after an abort.
      child.once("exit", (code) => void (options.signal?.aborted && resolve(code)));
      child.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") resolve(undefined);
        else reject(error);
      });
    });
    options.signal?.throwIfAborted();
    return { status, output };
  } finally {
    clearInterval(timer);
    options.progress.status(undefined);
    options.signal?.removeEventListener("abort", stop);
  }
}
