import { expect, test } from "@jest/globals";
import { kcloud } from "../kcloud.ts";

test.each([
  [[], "the shell is missing"],
  [["powershell"], 'unknown shell "powershell"'],
  [["bash", "zsh"], 'unknown shell "bash zsh"'],
])("the arguments %j are rejected", (args, problem) => {
  expect(kcloud(["completion", ...args])).toEqual({
    code: 2,
    stdout: "",
    stderr: `kcloud completion: ${problem}; the shells are bash, zsh, fish\nTry: kcloud completion --help\n`,
  });
});
