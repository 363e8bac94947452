import { UsageError } from "./argument.ts";

/** Runs a command and reports errors that a user can correct. */

/** Error of a command that cannot complete; the message contains the remedy. */
export class CommandError extends Error {}

/** Runs the work of a command and returns its exit code: 2 after a `UsageError`, 1 after a `CommandError`. */
export async function runCommand(name: string, work: () => number | Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    if (!isUsage && !(error instanceof CommandError)) throw error;
    const hint = isUsage ? `\nTry: kcloud ${name} --help` : "";
    process.stderr.write(`kcloud ${name}: ${error.message}${hint}\n`);
    return isUsage ? 2 : 1;
  }
}
