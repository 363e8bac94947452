import { expect, test } from "@jest/globals";
import { doctor } from "./doctor/setup.ts";

test.each([
  [["--jsno"], "unknown option --jsno"],
  [["all"], 'unexpected argument "all"'],
  [["--timeout"], "--timeout requires a value"],
  [["--timeout", "0"], '--timeout must be a whole number from 1 to 9999, not "0"'],
])("the arguments %j are rejected", async (args, problem) => {
  expect(await doctor({}, ...args)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `kcloud doctor: ${problem}\nTry: kcloud doctor --help\n`,
  });
});
