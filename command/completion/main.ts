import { parseArguments, UsageError } from "../argument.ts";
import { runCommand } from "../run.ts";
import { constants } from "./constant.ts";
import { completionCommand } from "./option.ts";

/** Runs `kcloud completion`: prints the script of a shell. Returns the exit code. */
export const completionMain = (args: readonly string[]): Promise<number> =>
  runCommand("completion", async () => {
    const scripts = await constants();
    const { positionals } = parseArguments(completionCommand.options, args);
    const [shell, ...more] = positionals;
    const script = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined || more.length > 0) {
      const problem =
        shell === undefined
          ? "the shell is missing"
          : `unknown shell ${JSON.stringify(positionals.join(" "))}`;
      throw new UsageError(`${problem}; the shells are ${Object.keys(scripts).join(", ")}`);
    }
    process.stdout.write(script);
    return 0;
  });
