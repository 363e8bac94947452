import { type ChildProcess, spawn } from "node:child_process";
import { createEmulator, type EmulatorOptions } from "../../emulator/emulator.ts";
import { parseFault } from "../../emulator/fault/notation.ts";
import { program } from "../command/kcloud.ts";

/** `kcloud call` in a process of its own, with and without a pseudo terminal. */

/** Starts an emulator, and returns it with the settings of the environment. */
export async function startEmulator(options: EmulatorOptions = {}, faults: readonly string[] = []) {
  const emulator = createEmulator(options);
  for (const fault of faults) emulator.faults.add(parseFault(fault));
  const { url, close } = await emulator.listen();
  const environment = {
    PATH: process.env.PATH,
    SERVICE_BASE_URL: url,
    SERVICE_API_KEY: "emulator-key",
    SERVICE_REGION: "In-Bangalore-1",
    SERVICE_ACCOUNT_ID: "000000000000",
  };
  return { emulator, close, environment };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves when the output contains a text after the last one that was waited for. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  readonly ended: Promise<Ended>;
}

function follow(child: ChildProcess): Running {
  const text = { out: "", err: "" };
  let read = 0;
  let changed = () => {};
  const all = () => text.out + text.err;
  for (const [name, stream] of [
    ["out", child.stdout],
    ["err", child.stderr],
  ] as const)
    stream?.setEncoding("utf8").on("data", (part) => {
      text[name] += part;
      changed();
    });
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => {
      resolve({ code, stdout: text.out, stderr: text.err });
      changed();
    }),
  );
  return {
    child,
    ended,
    type: (typed) => void child.stdin?.write(typed),
    async shows(wanted) {
      for (;;) {
        const at = all().indexOf(wanted, read);
        if (at >= 0) {
          read = at + wanted.length;
          return;
        }
        if (child.exitCode !== null) throw new Error(`the process ended: ${all()}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
}

const node = [process.execPath, "--no-warnings", program, "call"];

/** Starts a call without a terminal. */
export const startCall = (args: readonly string[], environment: NodeJS.ProcessEnv): Running =>
  follow(spawn(node[0] ?? "", [...node.slice(1), ...args], { env: environment }));

/** Starts a call on a pseudo terminal, which `script` of util-linux opens; its output has standard output and error. */
export function startOnTerminal(args: readonly string[], environment: NodeJS.ProcessEnv): Running {
  const line = [...node, ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(" ");
  return follow(spawn("script", ["-qefc", line, "/dev/null"], { env: { ...environment, SHELL: "/bin/sh" } }));
}
