import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Ends a process, which leads a group, with all that it started. Engines start plugins and programs in groups of their own, so that a
 * signal to the group of the engine does not reach them.
 */
export function endTree(root: number): void {
  if (process.platform === "win32") {
    signal(root, "SIGKILL");
    return;
  }
  const tree = new Set([root]);
  // A stopped process starts no other one, so that the search ends.
  signal(root, "SIGSTOP");
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes())
      if (tree.has(parent) && !tree.has(pid)) {
        signal(pid, "SIGSTOP");
        tree.add(pid);
      }
  }
  for (const pid of [...tree, -root]) signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
}

function processes(): Process[] {
  if (existsSync("/proc/self/stat"))
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name): Process[] => {
        const [, parent] = /\) \S (\d+) /.exec(statOf(name)) ?? [];
        return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
      });
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return listed
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // The process has ended in the meantime.
    return "";
  }
}
