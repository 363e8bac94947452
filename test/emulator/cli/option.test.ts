import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { parseOptions, UsageError } from "../../../emulator/cli/option.ts";
import { FaultError } from "../../../emulator/fault/fault.ts";

test.each([
  [["--prot", "1"], "unknown option --prot"],
  [["-x"], "unknown option -x"],
  [["serve"], "unexpected argument serve; a command goes after --"],
  [["--port"], "--port requires a value"],
  [["--verbose=1"], "--verbose does not accept a value"],
  [["--env", "--", "true"], "--env cannot be used with a command"],
  [["--port", "70000"], "--port must be a whole number from 0 to 65535, not 70000"],
  [["--task-ms", "1s"], "--task-ms must be a whole number from 0 to 1000000000000, not 1s"],
  [["--password", ""], "--password must not be empty"],
  [["--otp", "here"], "--otp must be a URL, not here"],
  [["--scenario", "mine"], "--scenario must be existing-account, not mine"],
  [["--clock", "sun"], "--clock must be real or manual, not sun"],
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

test("an unknown assumption is rejected with the list of the known ones", () => {
  expect(() => parseOptions(["--assume", "gravity=off"])).toThrow(
    /^--assume: unknown assumption gravity; the assumptions are errorBody, regions, /,
  );
});

test("without arguments, every option has its default", () => {
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

test("the lifetime of one-time passwords and the form of etags are switches of object storage", () => {
  const { settings } = parseOptions(["--otp-ms", "1000", "--assume", "objectEtag=opaque"]);
  expect(settings).toMatchObject({ otpMs: 1_000, assume: { objectEtag: "opaque" } });
});

test.each(["README.md", "docs/guides/emulator.md"])(
  "every emulator command of %s uses the same state file, or begins with an inventory",
  async (file) => {
    const page = await readFile(new URL(`../../../${file}`, import.meta.url), "utf8");
    const commands = [...page.matchAll(/^npx kcloud emulator (.+?)(?: >.*| +#.*)?$/gm)];
    expect(commands.length).toBeGreaterThan(2);
    for (const [, line = ""] of commands) {
      const { state, inventory, states } = parseOptions(line.split(" "));
      if (inventory === undefined && states.length === 0) expect([line, state]).toEqual([line, "cloud.json"]);
    }
  },
);
