import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { texts } from "../help-text.ts";
import { kcloud } from "../kcloud.ts";

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
