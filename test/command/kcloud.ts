import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs `kcloud` from its sources in a separate process. */

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const program = join(import.meta.dirname, "../../command/kcloud.ts");

export const kcloud = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Ran => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", program, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...environment },
  });
  return { code: status, stdout, stderr };
};
