import { spawn } from "node:child_process";
import { onAbort } from "./abort.ts";
import type { Ended } from "./ports.ts";

const mostOutput = 4 * 1024;

/**
 * Ends the process group that the shell leads. The group may have ended while its output is still open in a process
 * that left the group: macOS reports that as EPERM.
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
      output = `${output}${text}`.slice(0, mostOutput);
    });
    const end = (status: number | string) => {
      unlink();
      resolve({ status, output });
    };
    const unlink = onAbort(signal, (reason) => {
      reject(reason);
      if (child.pid !== undefined && process.platform !== "win32") endGroup(child.pid);
      else child.kill();
    });
    child.on("error", () => end("the shell cannot be started"));
    child.on("close", (status, killed) => end(status ?? killed ?? "no status"));
  });
}
