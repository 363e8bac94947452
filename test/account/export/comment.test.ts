import { expect, test } from "@jest/globals";
import { commented, commentReason } from "../../../account/export/comment.ts";
import { attribute, wording } from "../../../provider/core/wording.ts";
import { blockOf } from "./block.ts";

test("the reasons have the words of the engine and are on one line", () => {
  const block = blockOf("ssh-key", "demo", {
    problems: [wording`${attribute("publicKey")} is required`, "the API said\n\u001b[31mno"],
  });
  const start = "A comment, since the API does not return all values of the SSH key:";
  expect(commentReason(block, "terraform")).toBe(`${start} public_key is required; the API said [31mno.`);
  expect(commentReason(block, "pulumi")).toBe(`${start} publicKey is required; the API said [31mno.`);
});

test("each line has the sign, an empty one without a space", () => {
  expect(commented(["a", "", "  b"], "//")).toEqual(["// a", "//", "//   b"]);
});
