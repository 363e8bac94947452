import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { shellArgument } from "../../../account/export/shell.ts";

test.each([
  ["krn:vpc:a,b/c.d-e_f", "krn:vpc:a,b/c.d-e_f"],
  ["my project's", "'my project'\\''s'"],
  ["a\n$(b)'\\", "$'a\\u000a$(b)\\'\\\\'"],
])("the text %j is the argument %s, which a shell reads as the text", (text, expected) => {
  expect(shellArgument(text)).toBe(expected);
  expect(execFileSync("bash", ["-c", `printf %s ${expected}`], { encoding: "utf8" })).toBe(text);
});
