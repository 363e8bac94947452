import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { thisMachine } from "../../command/install/machine.ts";

/** Commands of this program that a tool runs in a process of their own. */

/** Result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `kcloud` with these arguments; it and all that it started end after an abort, and the promise rejects with the reason. */
export type Run = (args: readonly string[], signal: AbortSignal) => Promise<Ended>;

/** Maximum length of an output, in characters. */
const longest = 200_000;

/** Time in ms between an abort, a second request to end, and the end by force. */
const graceMs = [10_000, 3_000] as const;

/** Returns the program and the first arguments of this process. */
function self(): readonly [program: string, ...args: string[]] {
  const { executable } = thisMachine();
  if (executable !== undefined) return [executable];
  const [, script = ""] = process.argv;
  return [process.execPath, ...process.execArgv, script];
}

/** Returns the environment without the settings and credentials of the provider, which no command of a folder gets. */
const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(SERVICE|KCLOUD)_/.test(name)));

export const run: Run = async (args, signal) => {
  signal.throwIfAborted();
  const [program, ...first] = self();
  const child = spawn(program, [...first, ...args], {
    env: withoutSettings(process.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (part: string) => {
      if (output[name].length < longest) output[name] += part.slice(0, longest - output[name].length);
    });
  }
  const over = new AbortController();
  const end = async () => {
    // The command removes its copy of the folder and ends its engine before it ends itself; a second request makes it end at once.
    child.kill("SIGTERM");
    for (const [index, ms] of graceMs.entries()) {
      await sleep(ms, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      child.kill(index === 0 ? "SIGTERM" : "SIGKILL");
    }
  };
  const abort = () => void end();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const [code] = await once(child, "close");
    signal.throwIfAborted();
    return { code: code as number | null, ...output };
  } finally {
    over.abort();
    signal.removeEventListener("abort", abort);
  }
};
