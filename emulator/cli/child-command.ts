import { spawn } from "node:child_process";
import { accessSync, constants as modes, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { ignoresHangUp, withoutHangUp } from "./hang-up.ts";

/** Signals that a terminal sends to all processes of its foreground group, so that forwarding would repeat them. */
const fromKeyboard: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];
const passedOn: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"];

/** Returns true if a command can be started: its path, or a file of its name on PATH, is executable. */
function isStartable(file: string, { PATH = "" }: NodeJS.ProcessEnv): boolean {
  const paths = file.includes("/") ? [file] : PATH.split(delimiter).map((folder) => join(folder, file));
  return paths.some((path) => {
    try {
      accessSync(path, modes.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * Runs a command with the standard streams of this process and returns its exit code: 128 + n when signal n ended it, 127 when
 * the command does not exist, 126 when it cannot run. Forwards signals, except those of the keyboard in a terminal: receiving
 * one twice makes engines abort at once. If this process ignores SIGHUP, the command starts with that signal ignored too.
 */
export function runCommand(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [file = ""] = command;
  const isWrapped = ignoresHangUp() && process.platform !== "win32" && isStartable(file, environment);
  const [program = "", ...args] = isWrapped ? withoutHangUp(command) : command;
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const pass = (signal: NodeJS.Signals) => {
    if (!(atTerminal && fromKeyboard.includes(signal))) child.kill(signal);
  };
  // Before the command starts, which may send a signal to this process at once.
  for (const signal of passedOn) process.on(signal, pass);
  const child = spawn(program, args, { stdio: "inherit", env: environment });
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
