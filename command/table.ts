import { driftCommand, exportCommand, inventoryCommand, orphansCommand } from "../account/command/option.ts";
import { callCommand } from "../call/option.ts";
import { callSubcommands } from "../call/subcommand.ts";
import { emulatorCommand } from "../emulator/cli/option.ts";
import { mcpCommand } from "../mcp/command/option.ts";
import { rehearseCommand } from "../rehearse/command/option.ts";
import { reviewCommand } from "../review/command/option.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion/option.ts";
import { doctorCommand } from "./doctor/option.ts";
import { initCommand } from "./init/option.ts";
import { installCommand } from "./install/option.ts";

const described = {
  emulator: emulatorCommand,
  review: reviewCommand,
  rehearse: rehearseCommand,
  drift: driftCommand,
  orphans: orphansCommand,
  export: exportCommand,
  inventory: inventoryCommand,
  mcp: mcpCommand,
  call: { ...callCommand, subcommands: callSubcommands },
  doctor: doctorCommand,
  init: initCommand,
  install: installCommand,
  completion: completionCommand,
} satisfies Readonly<Record<string, Command>>;

const topics = Object.values<Command>(described).flatMap(({ topic }) => (topic === undefined ? [] : [topic]));

/** All commands of `kcloud`. The help, the completion of shells and `kcloud.ts` are derived from this table. */
export const commands = {
  ...described,
  help: {
    about: "shows the help of a command or a topic",
    usage: ["help [COMMAND|TOPIC]"],
    description: "Shows the help of a command or a topic. Without either, lists both.",
    options: {},
    subcommands: Object.fromEntries([
      ...Object.entries<Command>(described).map(([name, { about }]) => [name, { about }]),
      ...topics.map(({ name, about }) => [name, { about }]),
    ]),
  },
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commands;
