import { spawn } from "node:child_process";
import type { Ended } from "./ports.ts";

/** Programs of the user's. */

const largest = 4 * 1024;

/** `Ports.command` on this machine. What it writes to standard error is not kept: it may hold anything. */
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
      // A group of its own ends with all that the shell started.
      if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid);
      else child.kill();
    };
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", () => end("a shell that cannot be started"));
    child.on("close", (status, killed) => end(status ?? killed ?? "no status"));
  });
}
