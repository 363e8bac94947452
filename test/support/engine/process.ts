import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Processes of this machine, for programs in a process namespace of their own, whose ids are of no use outside. */

/** Returns true if a process has this text in its command line. */
export const isRunning = (text: string): boolean => commandLines().some((line) => line.includes(text));

/** Waits until a process with this text runs, or until none does. Throws after 30 s. */
export async function untilRunning(text: string, expected = true): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (isRunning(text) === expected) return;
    await setTimeout(50);
  }
  throw new Error(`a process with ${text} ${expected ? "did not start" : "did not end"}`);
}

function commandLines(): string[] {
  if (!existsSync("/proc/self/cmdline"))
    return execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).split("\n");
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return ids.map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      // The process has ended in the meantime.
      return "";
    }
  });
}
