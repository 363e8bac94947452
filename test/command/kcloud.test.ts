import { expect, test } from "@jest/globals";
import { texts } from "./help-text.ts";
import { kcloud } from "./kcloud.ts";

test.each([
  [["instal"], 'kcloud: unknown command "instal"'],
  [["toString"], 'kcloud: unknown command "toString"'],
  [["help", "instal"], 'kcloud help: unknown command or topic "instal"'],
  [["help", "review", "verify"], 'kcloud help: unknown command or topic "review verify"'],
])("kcloud %j is rejected with the list of commands", (args, problem) => {
  expect(kcloud(args)).toEqual({ code: 2, stdout: "", stderr: `${problem}\n\n${texts[""]}` });
});
