import { constants } from "./constant.ts";

/** Runs `kcloud completion`: prints the script of a shell. Returns the exit code. */
export async function completionMain(args: readonly string[]): Promise<number> {
  const scripts = await constants();
  const [shell = "", ...more] = args;
  const script = Object.hasOwn(scripts, shell) && more.length === 0 ? scripts[shell] : undefined;
  if (script === undefined) {
    const problem = shell === "" ? "the shell is missing" : `unknown shell ${JSON.stringify(args.join(" "))}`;
    process.stderr.write(
      `kcloud completion: ${problem}; the shells are ${Object.keys(scripts).join(", ")}\nTry: kcloud completion --help\n`,
    );
    return 2;
  }
  process.stdout.write(script);
  return 0;
}
