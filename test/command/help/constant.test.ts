import { expect, test } from "@jest/globals";
import type { Command } from "../../../command/command.ts";
import { helpOf, topicOf, usage } from "../../../command/help/help.ts";
import { commands } from "../../../command/table.ts";
import manifest from "../../../package.json" with { type: "json" };
import { kcloud } from "../kcloud.ts";

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
  [["--version"], `kcloud ${manifest.version}\n`],
  [[], texts[""]],
  [["--help"], texts[""]],
  [["-h"], texts[""]],
  [["help"], texts[""]],
  [["help", "emulator"], texts.emulator],
  [["help", "emulator-reference"], texts["emulator-reference"]],
  [["emulator", "--port", "1", "--help"], texts.emulator],
  [["review", "-h"], texts.review],
  [["review", "--in", "missing.json", "--help"], texts.review],
  [["review", "waive", "--help"], texts.review],
  [["doctor", "--help"], texts.doctor],
  [["install", "terraform", "--help"], texts.install],
  [["completion", "--help"], texts.completion],
  [["help", "--help"], texts.help],
])("kcloud %j prints its text", (args, stdout) => {
  expect(kcloud(args)).toEqual({ code: 0, stdout, stderr: "" });
});
