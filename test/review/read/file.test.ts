import { writeFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { at, describeReview, text } from "../command/world.ts";

describeReview("%s", (_, _run, review) => {
  test("a file in UTF-16, as PowerShell writes it, or with a byte-order mark, is read", async () => {
    for (const content of [Buffer.from(`\ufeff${text}`, "utf16le"), Buffer.from(`\ufeff${text}`)]) {
      writeFileSync(at("shell.json"), content);
      expect((await review("--in", at("shell.json"), "--fail-on", "none")).code).toBe(0);
    }
  });
});
