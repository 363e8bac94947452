import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { reviewMain } from "../../../review/command/main.ts";

/** Runs `kcloud review`: from the sources in this process, or the built command. */

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunReview = (
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<Ran>;

/** Runs the function of a command, with its output collected. */
export async function runMain(
  main: (args: readonly string[]) => Promise<number>,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const parts = { stdout: "", stderr: "" };
  const before = { ...process.env };
  const streams = (["stdout", "stderr"] as const).map((name) => ({ name, write: process[name].write }));
  Object.assign(process.env, environment);
  for (const { name } of streams)
    process[name].write = ((text: string) => {
      parts[name] += text;
      return true;
    }) as typeof process.stdout.write;
  try {
    const code = await main(args);
    return { code, ...parts };
  } finally {
    for (const { name, write } of streams) process[name].write = write;
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** Runs the function of `kcloud review`. */
export const runSources: RunReview = (args, environment) => runMain(reviewMain, args, environment);

const kcloud = join(import.meta.dirname, "../../../dist/kcloud");

/** Runs the built command; standard input is empty. */
export const runBuilt: RunReview = async (args, environment = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [kcloud, "review", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
    input: "",
  });
  return { code: status, stdout, stderr };
};
