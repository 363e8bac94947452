import { spawn } from "node:child_process";
import type { Ended } from "./ports.ts";

const largest = 4 * 1024;

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
      // The shell leads its own process group, so the signal reaches every process that it started.
      if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid);
      else child.kill();
    };
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", () => end("a shell that cannot be started"));
    child.on("close", (status, killed) => end(status ?? killed ?? "no status"));
  });
}
