import { spawn } from "node:child_process";
import type { Ended } from "./ports.ts";

const largest = 4 * 1024;

/**
 * Ends the shell, which leads its own process group, and every process of the group. The group may have ended although
 * its output has not, as a process that left the group holds it open: macOS reports that as EPERM.
 */
function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Implements `Ports.command` on this machine. Standard error is discarded, since its content is unknown. */
export function run(
  line: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(line, {
      shell: true,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "ignore"],
      detached: process.platform !== "win32",
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output = `${output}${text}`.slice(0, largest);
    });
    const end = (status: number | string) => {
      signal.removeEventListener("abort", stop);
      resolve({ status, output });
    };
    const stop = () => {
      reject(signal.reason);
      if (child.pid !== undefined && process.platform !== "win32") endGroup(child.pid);
      else child.kill();
    };
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", () => end("the shell cannot be started"));
    child.on("close", (status, killed) => end(status ?? killed ?? "no status"));
  });
}
