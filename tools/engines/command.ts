import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { type Progress, seconds } from "./progress.ts";

/** Options of a command. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Prefix of the status lines. */
  readonly label: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a command. `status` is its exit code: null after a signal, undefined if the command does not exist. */
export interface CommandResult {
  readonly status: number | null | undefined;
  readonly output: readonly string[];
}

/**
 * Runs a command to its end, and shows its last line of output once a second. Throws the signal's reason after an
 * abort.
 */
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
      // A grandchild may keep the pipes open. Its end is not awaited after an abort.
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
