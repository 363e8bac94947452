import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Request, Response } from "./worker.ts";

/** Runs programs in the copy. */

/** Exit code, or undefined after the timeout, and all output. */
export interface Ended {
  readonly code: number | undefined;
  readonly output: string;
}

const running = new Set<ChildProcess>();
process.once("SIGTERM", () => {
  for (const child of running) child.kill("SIGKILL");
  process.exit(143);
});

/** Runs Node in the copy with a timeout. */
export async function runNode(
  copy: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  milliseconds: number,
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...environment } });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  running.delete(child);
  return { code: code ?? undefined, output };
}

/** Process that runs tests and keeps loaded modules between them. */
export interface TestProcess {
  /** Returns the response, or undefined if the process ended: by its CPU limit, or by a test. */
  send(request: Request): Promise<Response | undefined>;
  end(): Promise<void>;
}

/** Timeout of one test in milliseconds, for a process that gets no CPU time. */
const longest = 600_000;

/** Starts a process that runs tests in the copy, with this mutant active from the start, if any. */
export function startTests(copy: string, mutant?: string): TestProcess {
  const child = fork(join(copy, "tools", "mutation", "worker.ts"), {
    cwd: copy,
    env: { ...process.env, ...(mutant !== undefined && { KCLOUD_MUTANT: mutant }) },
    execArgv: ["--no-warnings"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  running.add(child);
  const exited = once(child, "exit").then(() => {
    running.delete(child);
    return undefined;
  });
  return {
    async send(request) {
      if (!child.connected) return undefined;
      const timer = setTimeout(() => child.kill("SIGKILL"), longest);
      const received = once(child, "message").then(([response]) => response as Response);
      child.send(request, () => {});
      const response = await Promise.race([received, exited]);
      clearTimeout(timer);
      return response;
    },
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
