import "../provider/platform/runtime.ts";
import type { SeedSource } from "../emulator/cli/main.ts";
import { didYouMean, nearest } from "../provider/core/string.ts";
import { runOnce } from "../provider/platform/run-once.ts";
import type { CommandName } from "./table.ts";

/** Program of the command `kcloud`. The code of a command is loaded when it runs; the help loads none. */

const run: { readonly [K in CommandName]: (args: readonly string[]) => Promise<number> } = {
  emulator: async (args) => {
    const { constants } = await import("./environment/constant.ts");
    const { emulatorMain } = await import("../emulator/cli/main.ts");
    const seedFrom: SeedSource = async (states, known) => (await engine()).seedFromStates(states, known);
    return emulatorMain(args, { foreign: await constants(), seedFrom });
  },
  review: async (args) => {
    const { reviewMain } = await import("../review/command/main.ts");
    runOnce();
    return reviewMain(args);
  },
  rehearse: async (args) => (await engine()).rehearse(args),
  drift: async (args) => (await engine()).drift(args),
  orphans: async (args) => (await engine()).orphans(args),
  export: async (args) => (await engine()).export(args),
  inventory: async (args) => (await engine()).inventory(args),
  mcp: async (args) => (await import("../mcp/command/main.ts")).mcpMain(args),
  call: async (args) => (await import("../call/call.ts")).callMain(args),
  doctor: async (args) => (await import("./doctor/main.ts")).doctorMain(args),
  init: async (args) => (await import("./init/main.ts")).initMain(args),
  install: async (args) => (await import("./install/main.ts")).installMain(args),
  completion: async (args) => (await import("./completion/main.ts")).completionMain(args),
  help: async ([name, ...more]) => {
    const { help, usage } = await texts();
    if (name === undefined) return print(usage);
    const text = Object.hasOwn(help, name) ? help[name] : undefined;
    if (text === undefined || more.length > 0)
      return refuse(`kcloud help: unknown command or topic ${quoted([name, ...more].join(" "))}`, usage);
    return print(text);
  },
};

/** Loads the commands that contain the engine. */
const engine = async () => (await import("../rehearse/part.ts")).engineCommands;

const texts = async () => (await import("./help/constant.ts")).constants();

/** True if standard output could not be written, for example to a full disk. */
let isUnwritten = false;

// A reader such as `head` closes the pipe when it has enough: the exit code stays that of the command.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isUnwritten) return;
  isUnwritten = true;
  process.stderr.write(`kcloud: standard output cannot be written (${code ?? message})\n`);
  process.exitCode ||= 1;
});

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function refuse(problem: string, usage: string): number {
  process.stderr.write(`${problem}\n\n${usage}`);
  return 2;
}

const quoted = (text: string): string => JSON.stringify(text);

const suggestion = (name: string): string => didYouMean(nearest(name, Object.keys(run)));

const isHelp = (arg: string): boolean => arg === "--help" || arg === "-h";

/** Returns true if the arguments ask for the help of their command, not of one that follows after `--`. */
const asksForHelp = (args: readonly string[]): boolean =>
  args.slice(0, args.includes("--") ? args.indexOf("--") : args.length).some(isHelp);

async function main([name = "help", ...args]: readonly string[]): Promise<number> {
  if (isHelp(name)) return run.help([]);
  if (name === "--version" || name === "-v" || name === "version")
    return print(`kcloud ${(await texts()).version}\n`);
  if (!Object.hasOwn(run, name))
    return refuse(`kcloud: unknown command ${quoted(name)}${suggestion(name)}`, (await texts()).usage);
  const isOfOperation = name === "call" && /^[^-]/.test(args[0] ?? "");
  return asksForHelp(args) && !isOfOperation ? run.help([name]) : run[name as CommandName](args);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code === 0 && isUnwritten ? 1 : code;
  },
  (error) => {
    process.stderr.write(`kcloud: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
