import { expect, test } from "@jest/globals";
import type { Command } from "../../command/command.ts";
import { helpOf, topicOf } from "../../command/help/help.ts";
import { commands } from "../../command/table.ts";

const table: Readonly<Record<string, Command>> = commands;

test("the help of a command, or its topic, names every option", () => {
  for (const command of Object.values(table)) {
    const text = command.topic === undefined ? helpOf(command) : topicOf(command);
    const named = text.match(/^ {2}--[a-z-]+/gm)?.map((option) => option.trim());
    expect(named).toEqual([...Object.keys(command.options), "help"].map((name) => `--${name}`));
  }
});
