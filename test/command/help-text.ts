import type { Command } from "../../command/command.ts";
import { helpOf, topicOf, usage } from "../../command/help/help.ts";
import { commands } from "../../command/table.ts";

export const table: Readonly<Record<string, Command>> = commands;

/** All texts of the help by the arguments of `kcloud help`. */
export const texts = Object.fromEntries([
  ["", usage(table)],
  ...Object.entries(table).flatMap(([name, command]) => [
    [name, helpOf(command)],
    ...(command.topic === undefined ? [] : [[command.topic.name, topicOf(command)]]),
  ]),
]) as Readonly<Record<string, string>>;
