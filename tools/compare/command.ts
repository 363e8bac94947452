import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Timeout in ms, longer than the duration of any command of an engine. */
const timeout = 600_000;

/** Runs a command to its end. Rejects only if the command cannot be started. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, input }: CommandOptions,
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout,
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  child.stdin?.end(input);
  const [code, stdout, stderr] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  return { code, stdout, stderr };
}

const read = async (stream: Readable | null): Promise<string> => (stream === null ? "" : text(stream));

/** Runs a command and returns its standard output. Rejects with both outputs if the exit code is not 0. */
export async function succeed(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
