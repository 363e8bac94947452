import { expect, test } from "@jest/globals";
import { constants } from "../../../command/completion/constant.ts";
import { kcloud } from "../kcloud.ts";

test.each(["zsh", "fish"])("kcloud completion prints the script for %s", async (shell) => {
  const script = (await constants())[shell];
  expect(kcloud(["completion", shell])).toEqual({ code: 0, stdout: script, stderr: "" });
});
