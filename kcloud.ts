import { emulatorMain } from "./emulator/main.ts";

/** The `kcloud` command: one subcommand a room. */
const commands: Record<string, { about: string; run: (args: string[]) => Promise<number> }> = {
  emulator: { about: "run the cloud on this machine, or a command against it", run: emulatorMain },
};

const usage = `Usage: kcloud COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join("\n")}

kcloud COMMAND --help tells more.
`;

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command !== undefined) process.exitCode = await command.run(args);
else if (name === "" || name === "--help" || name === "-h") process.stdout.write(usage);
else {
  process.stderr.write(`kcloud: no command ${JSON.stringify(name)}\n\n${usage}`);
  process.exitCode = 2;
}
