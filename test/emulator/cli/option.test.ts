import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { parseOptions, UsageError } from "../../../emulator/cli/option.ts";
import { FaultError } from "../../../emulator/fault/fault.ts";

test.each([
  [["--prot", "1"], "unknown option --prot"],
  [["-x"], "unknown option -x"],
  [["serve"], "unexpected argument serve; a command goes after --"],
  [["--port"], "--port needs a value"],
  [["--verbose=1"], "--verbose takes no value"],
  [["--env", "--", "true"], "--env is for an emulator without a command"],
  [["--port", "70000"], "--port takes a whole number from 0 to 65535, not 70000"],
  [["--task-ms", "1s"], "--task-ms takes a whole number from 0 to 1000000000000, not 1s"],
  [["--password", ""], "--password must not be empty"],
  [["--otp", "here"], "--otp takes a URL, not here"],
  [["--clock", "sun"], "--clock takes real or manual, not sun"],
  [["--fault", "503"], "a fault is written TARGET[#N|#N-M|#N+][~P]=[before-|after-]KIND[,NAME=VALUE]..."],
  [
    ["--assume", "equalNames=maybe"],
    "--assume: equalNames: Invalid input: expected boolean, received string",
  ],
  [["--"], "a command is missing after --"],
])("the arguments %j are refused", (args, message) => {
  expect(() => parseOptions(args)).toThrow(
    args[0] === "--fault" ? new FaultError(message) : new UsageError(message),
  );
});

test("an unknown assumption is refused with the list of those there are", () => {
  expect(() => parseOptions(["--assume", "gravity=off"])).toThrow(
    /^--assume knows no gravity; there are errorBody, regions, /,
  );
});

test("without arguments everything is at its default", () => {
  expect(parseOptions([])).toMatchObject({
    port: 0,
    manual: false,
    verbose: false,
    faults: [],
    command: [],
  });
});

test("the last of several values counts; faults add up; a value may follow an equals sign", () => {
  const args = parseOptions(["--port=1", "--port", "2", "--fault", "*=500", "--fault", "*=502"]);
  expect([args.port, args.faults.map(({ kind }) => kind)]).toEqual([2, ["500", "502"]]);
});

test("the life of one-time passwords and what etags tell are switches of object storage", () => {
  const { settings } = parseOptions(["--otp-ms", "1000", "--assume", "objectEtag=opaque"]);
  expect(settings).toMatchObject({ otpMs: 1_000, assume: { objectEtag: "opaque" } });
});

test.each(["README.md", "docs/guides/emulator.md"])(
  "every command of %s runs on the cloud of the command before it",
  async (file) => {
    const page = await readFile(new URL(`../../../${file}`, import.meta.url), "utf8");
    const commands = [...page.matchAll(/^npx kcloud emulator (.+?)(?: >.*| +#.*)?$/gm)];
    expect(commands.length).toBeGreaterThan(2);
    for (const [, line = ""] of commands)
      expect([line, parseOptions(line.split(" ")).state]).toEqual([line, "cloud.json"]);
  },
);
