import { expect } from "@jest/globals";
import { type Command, valuesOf } from "../../../command/command.ts";
import { commands } from "../../../command/table.ts";

const table: Readonly<Record<string, Command>> = commands;

/**
 * Expects a script to have every command, option and value of the table.
 *
 * @param mark text of a line that describes an option
 */
export function expectComplete(
  script: string,
  mark: (option: string) => string,
  quoted = (text: string) => text,
): void {
  for (const [name, { about, options, subcommands = {} }] of Object.entries(table)) {
    expect(script).toContain(quoted(about));
    for (const [sub, { about }] of Object.entries(subcommands)) {
      expect(script).toContain(sub);
      expect(script).toContain(quoted(about));
    }
    for (const [option, described] of Object.entries(options)) {
      const line = script.split("\n").find((line) => line.includes(mark(option)));
      expect([name, option, line]).toEqual([name, option, expect.any(String)]);
      for (const value of Object.keys(valuesOf(described))) expect(script).toContain(value);
    }
  }
}
