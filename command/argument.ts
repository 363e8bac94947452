import { parseArgs } from "node:util";
import { nearest } from "../provider/core/string.ts";
import type { Option, Options } from "./command.ts";

/** Parser of the arguments of all commands. */

/** Error for an invalid command line; the message names the argument. */
export class UsageError extends Error {}

/** Value of an option; the last one if it is given several times, except for an option with `multiple`. */
type ValueOf<O extends Option> = O extends { readonly type: "boolean" }
  ? true
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;

export interface Arguments<T extends Options> {
  /** Values of the given options. */
  readonly values: { readonly [K in keyof T]?: ValueOf<T[K]> };
  readonly positionals: readonly string[];
}

/** Parses arguments by the table of options. Throws `UsageError`. */
export function parseArguments<T extends Options>(options: T, args: readonly string[]): Arguments<T> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, true | string | readonly string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const close = nearest(name, Object.keys(options));
      throw new UsageError(
        `unknown option ${rawName}${close === undefined ? "" : `; did you mean --${close}?`}`,
      );
    }
    if (option.type === "boolean") {
      if (value !== undefined) throw new UsageError(`${rawName} does not accept a value`);
      values.set(name, true);
      continue;
    }
    if (!value) throw new UsageError(`${rawName} requires a value`);
    // Probably the next option: `-` alone is standard input.
    if (!inlineValue && /^-./.test(value))
      throw new UsageError(
        `${rawName} requires a value; write a value that begins with "-" as ${rawName}=${value}`,
      );
    const known = values.get(name);
    values.set(name, option.multiple ? [...(Array.isArray(known) ? known : []), value] : value);
  }
  return { values: Object.fromEntries(values) as Arguments<T>["values"], positionals };
}

/** Throws `UsageError` if there are more positional arguments than these. */
export function checkPositionals(positionals: readonly string[], most: number): void {
  if (positionals.length > most)
    throw new UsageError(`unexpected argument ${JSON.stringify(positionals[most])}`);
}
