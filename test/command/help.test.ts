import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Command } from "../../command/command.ts";
import { helpOf, topicOf, usage } from "../../command/help/help.ts";
import { commands } from "../../command/table.ts";
import manifest from "../../package.json" with { type: "json" };
import { expectGolden } from "../support/golden.ts";
import { kcloud } from "./kcloud.ts";

/** Tests `kcloud --version`, `kcloud help` and `--help`. */

const table: Readonly<Record<string, Command>> = commands;

/** All texts of the help by the arguments of `kcloud help`. */
const texts = Object.fromEntries([
  ["", usage(table)],
  ...Object.entries(table).flatMap(([name, command]) => [
    [name, helpOf(command)],
    ...(command.topic === undefined ? [] : [[command.topic.name, topicOf(command)]]),
  ]),
]) as Readonly<Record<string, string>>;

test("the texts of the help are those of the golden file", () => {
  const { "emulator-reference": _, ...others } = texts;
  expectGolden(
    "help.txt",
    Object.entries(others)
      .map(([name, text]) => `$ ${`kcloud help ${name}`.trim()}\n${text}`)
      .join("\n"),
  );
});

test("every line fits a terminal of 80 columns, except for longer ids", () => {
  const long = Object.values(texts).flatMap((text) => text.split("\n").filter((line) => line.length > 80));
  expect(long.filter((line) => !/^ +krn:\S+$/.test(line))).toEqual([]);
});

test("the help of the emulator fits a screen of 24 lines, with the prompt below it", () => {
  expect(helpOf(commands.emulator).split("\n").length).toBeLessThanOrEqual(24);
});

test("the help of a command, or its topic, names every option", () => {
  for (const command of Object.values(table)) {
    const text = command.topic === undefined ? helpOf(command) : topicOf(command);
    const named = text.match(/^ {2}--[a-z-]+/gm)?.map((option) => option.trim());
    expect(named).toEqual([...Object.keys(command.options), "help"].map((name) => `--${name}`));
  }
});

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

test.each([
  "kcloud",
  "terraform-provider-kcloud",
  "terraform-provider-kcloud_v0.1.0",
  "pulumi-resource-kcloud",
])("the program of the single executable shows its version under the name %s", (argv0) => {
  const standalone = join(import.meta.dirname, "../../tools/release/standalone.ts");
  // The program reads its name from `argv0`, which the test can set.
  const args = ["--no-warnings", standalone, "--version"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { argv0, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `kcloud ${manifest.version}\n`,
    stderr: "",
  });
});

test("the --help of a command after -- belongs to that command", () => {
  const script = "console.log(process.argv[1])";
  const args = ["emulator", "--", process.execPath, "-e", script, "--", "--help"];
  expect(kcloud(args)).toMatchObject({ code: 0, stdout: "--help\n" });
});

test.each([
  [["instal"], 'kcloud: unknown command "instal"'],
  [["toString"], 'kcloud: unknown command "toString"'],
  [["help", "instal"], 'kcloud help: unknown command or topic "instal"'],
  [["help", "review", "verify"], 'kcloud help: unknown command or topic "review verify"'],
])("kcloud %j is rejected with the list of commands", (args, problem) => {
  expect(kcloud(args)).toEqual({ code: 2, stdout: "", stderr: `${problem}\n\n${texts[""]}` });
});
