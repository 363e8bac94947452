import { expect, test } from "@jest/globals";
import type { Command } from "../command/command.ts";
import { helpOf, topicOf, usage } from "../command/help/help.ts";
import { commands } from "../command/table.ts";
import { kcloud } from "./command/kcloud.ts";

const table: Readonly<Record<string, Command>> = commands;

/** All texts of the help by the arguments of `kcloud help`. */
const texts = Object.fromEntries([
  ["", usage(table)],
  ...Object.entries(table).flatMap(([name, command]) => [
    [name, helpOf(command)],
    ...(command.topic === undefined ? [] : [[command.topic.name, topicOf(command)]]),
  ]),
]) as Readonly<Record<string, string>>;

test.each([
  [["instal"], 'kcloud: unknown command "instal"'],
  [["toString"], 'kcloud: unknown command "toString"'],
  [["help", "instal"], 'kcloud help: unknown command or topic "instal"'],
  [["help", "review", "verify"], 'kcloud help: unknown command or topic "review verify"'],
])("kcloud %j is rejected with the list of commands", (args, problem) => {
  expect(kcloud(args)).toEqual({ code: 2, stdout: "", stderr: `${problem}\n\n${texts[""]}` });
});
