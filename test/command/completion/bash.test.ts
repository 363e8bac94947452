import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Command, valuesOf } from "../../../command/command.ts";
import { commands } from "../../../command/table.ts";
import { kcloud } from "../kcloud.ts";

const table: Readonly<Record<string, Command>> = commands;

let folder: string;

let script: string;

beforeAll(() => {
  script = kcloud(["completion", "bash"]).stdout;
  folder = mkdtempSync(join(tmpdir(), "kcloud-completion-"));
  mkdirSync(join(folder, "plans"));
  writeFileSync(join(folder, "plan.json"), "{}");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the completions of Bash for the last word of a command line. */
function offered(...words: readonly string[]): string[] {
  const line = `eval "$SCRIPT"; COMP_WORDS=(kcloud "$@"); COMP_CWORD=$#
    complete -p kcloud >/dev/null || exit 9
    _kcloud; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-uc", line, "bash", ...words], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH, SCRIPT: script },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

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
  for (const [sub, own] of Object.entries(subcommands))
    expect(offered(name, sub, "-").filter((word) => word !== "--")).toEqual(
      optionsOf(own.options ?? options),
    );
  for (const [option, about] of Object.entries(options)) {
    const values = Object.keys(valuesOf(about));
    if (values.length > 0) expect(offered(name, `--${option}`, "")).toEqual(values);
  }
});

test("Bash completes the value of an option, also after an equals sign; files have the default completion of Bash", () => {
  expect(offered("emulator", "--clock", "m")).toEqual(["manual"]);
  expect(offered("emulator", "--clock", "=", "r")).toEqual(["real"]);
  expect(offered("emulator", "--clock", "=")).toEqual(["real", "manual"]);
  expect(offered("install", "terraform", "--platform", "linux")).toEqual(["linux_amd64", "linux_arm64"]);
  expect(offered("install", "terraform", "--mirror", "p")).toEqual(["plans"]);
  expect(offered("emulator", "--state", "p")).toEqual([]);
  expect(offered("emulator", "--port", "8")).toEqual([]);
  expect(offered("unknown", "")).toEqual([]);
});

test("Bash completes programs after --, and their arguments as files", () => {
  expect(offered("emulator", "--", "bas")).toContain("bash");
  expect(offered("emulator", "--", "bash", "--cl")).toEqual([]);
});
