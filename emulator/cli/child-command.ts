import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Signals that a terminal sends to all processes of its foreground group, so that forwarding would repeat them. */
const fromKeyboard: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];
const passedOn: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"];

/**
 * Runs a command with the standard streams of this process and returns its exit code: 128 + n when signal n ended it, 127 when
 * the command does not exist, 126 when it cannot run. Forwards signals, except those of the keyboard in a terminal: receiving
 * one twice makes engines abort at once.
 */
export function runCommand(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: "inherit", env: environment });
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const pass = (signal: NodeJS.Signals) => {
    if (!(atTerminal && fromKeyboard.includes(signal))) child.kill(signal);
  };
  for (const signal of passedOn) process.on(signal, pass);
  return new Promise<number>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      process.stderr.write(`kcloud emulator: cannot run ${file} (${error.code})\n`);
      resolve(error.code === "ENOENT" ? 127 : 126);
    });
    child.once("exit", (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  }).finally(() => {
    for (const signal of passedOn) process.off(signal, pass);
  });
}
