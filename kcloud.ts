import "./provider/platform/runtime.ts";
import { runOnce } from "./provider/platform/run-once.ts";

/** Subcommands of the command `kcloud`, by name. */
const commands: Record<string, { about: string; run: (args: string[]) => Promise<number> }> = {
  emulator: {
    about: "run the cloud on this machine, or a command against it",
    run: async (args) => (await import("./emulator/cli/main.ts")).emulatorMain(args),
  },
  review: {
    about: "review planned changes before they are applied",
    run: async (args) => {
      runOnce();
      return (await import("./review/command/command.ts")).reviewCommand(args);
    },
  },
};

const usage = `Usage: kcloud COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join("\n")}

kcloud COMMAND --help tells more.
`;

async function main([name = "", ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command.run(args);
  const asked = name === "" || name === "--help" || name === "-h";
  if (asked) process.stdout.write(usage);
  else process.stderr.write(`kcloud: no command ${JSON.stringify(name)}\n\n${usage}`);
  return asked ? 0 : 2;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`kcloud: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
