import { parseArgs } from "node:util";
import type { Options } from "./command.ts";

/** Runs a command: parses its arguments and reports errors that a user can correct. */

/** Error for an invalid command line; the message names the argument. */
export class UsageError extends Error {}

/** Error of a command that cannot complete; the message contains the remedy. */
export class CommandError extends Error {}

export interface Arguments {
  /** Values of each option in the order given; "true" for an option without a value. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/** Parses arguments by the table of options. Throws `UsageError`. */
export function parseArguments(options: Options, args: readonly string[]): Arguments {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw new UsageError(`unknown option ${rawName}`);
    if (option.type === "string" && !value) throw new UsageError(`${rawName} requires a value`);
    if (option.type === "boolean" && value !== undefined)
      throw new UsageError(`${rawName} does not accept a value`);
    values.set(name, [...(values.get(name) ?? []), value ?? "true"]);
  }
  return { values, positionals };
}

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
