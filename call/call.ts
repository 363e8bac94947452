import { checkPositionals, parseArguments, UsageError } from "../command/argument.ts";
import { runCommand } from "../command/run.ts";
import { snakeCase } from "../provider/core/name.ts";
import { didYouMean, nearest } from "../provider/core/string.ts";
import { listText, matching } from "./list/list.ts";
import { callCommand } from "./option.ts";

/** `kcloud call`: the list and the help load neither the table of operations nor the client. */

const isHelp = (arg: string): boolean => arg === "--help" || arg === "-h";

/** Returns true if the arguments ask for the help of an operation. */
export const asksForOperation = (args: readonly string[]): boolean => /^[^-]/.test(args[0] ?? "");

/** Runs `kcloud call`. Returns the exit code. */
export const callMain = (args: readonly string[]): Promise<number> =>
  runCommand("call", async () => {
    const [first = "", ...rest] = args;
    if (!asksForOperation(args)) return list(args);
    const rows = await (await import("./list/constant.ts")).constants();
    const names = rows.map(({ name }) => name);
    const name = [first, snakeCase(first)].find((spelling) => names.includes(spelling));
    if (name === undefined) {
      const close = nearest(snakeCase(first).replaceAll("-", "_"), names);
      throw new UsageError(`unknown operation ${JSON.stringify(first)}${didYouMean(close)}`);
    }
    if (!rest.some(isHelp)) return (await import("./run.ts")).runCall(name, rest);
    const help = await (await import("./help/constant.ts")).constants();
    process.stdout.write(help[name] ?? "");
    return 0;
  });

/** Prints the list. */
async function list(args: readonly string[]): Promise<number> {
  const { list: text } = callCommand.options;
  const { values, positionals } = parseArguments({ list: text }, args);
  if (values.list !== true)
    throw new UsageError("the operation is missing; kcloud call --list lists all of them");
  checkPositionals(positionals, 1);
  const rows = await (await import("./list/constant.ts")).constants();
  const [wanted = ""] = positionals;
  const found = matching(rows, wanted);
  if (found.length === 0) throw new UsageError(`no operation contains ${JSON.stringify(wanted)}`);
  process.stdout.write(listText(found));
  return 0;
}
