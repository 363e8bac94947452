import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Exit code of a run of the simulation, and everything that it printed. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs the simulation of the sources in `folder` in a separate process, as `npm run sim` does. */
export async function simulate(folder: string, ...options: string[]): Promise<Ended> {
  const command = [join("test", "simulation", "main.ts"), ...options];
  try {
    const { stdout } = await execute(process.execPath, command, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}
