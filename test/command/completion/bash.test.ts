import { expect, test } from "@jest/globals";
import { type Command, valuesOf } from "../../../command/command.ts";
import { commands } from "../../../command/table.ts";
import { offered } from "./offered.ts";

const table: Readonly<Record<string, Command>> = commands;

const optionsOf = (options: Command["options"]) =>
  [...Object.keys(options), "help"].map((name) => `--${name}`);

test("Bash completes commands", () => {
  expect(offered("")).toEqual([...Object.keys(table), "--version", "--help"]);
  expect(offered("em")).toEqual(["emulator"]);
  expect(offered("--v")).toEqual(["--version"]);
});

test.each(Object.entries(table))("Bash completes the options and subcommands of %s", (name, command) => {
  const { options, subcommands = {}, runsCommand } = command;
  expect(offered(name, "-").toSorted()).toEqual(
    [...optionsOf(options), ...(runsCommand === true ? ["--"] : [])].toSorted(),
  );
  expect(offered(name, "").filter((word) => !word.startsWith("-"))).toEqual(Object.keys(subcommands));
  for (const [sub, own] of Object.entries(subcommands)) {
    const all = [
      ...optionsOf(own.options ?? options),
      ...Object.keys(own.adds ?? {}).map((one) => `--${one}`),
    ];
    expect(offered(name, sub, "-").filter((word) => word !== "--")).toEqual(all);
  }
  for (const [option, about] of Object.entries(options)) {
    const values = Object.keys(valuesOf(about));
    if (values.length > 0) expect(offered(name, `--${option}`, "")).toEqual(values);
  }
});

test("Bash completes the values of the parameters of an operation", () => {
  expect(offered("call", "control_instance", "--action", "")).toEqual(["start", "stop", "reboot"]);
  expect(offered("call", "control_instance", "--act")).toEqual(["--action"]);
});

test("Bash completes programs after --, and their arguments as files", () => {
  expect(offered("emulator", "--", "bas")).toContain("bash");
  expect(offered("emulator", "--", "bash", "--cl")).toEqual([]);
});
