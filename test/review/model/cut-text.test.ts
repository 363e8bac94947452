import { expect, test } from "@jest/globals";
import { cutText } from "../../../review/model/cut-text.ts";

test("a long text ends with its length, and half of a surrogate pair is no part of it", () => {
  expect(cutText("x".repeat(2_000))).toBe("x".repeat(2_000));
  expect(cutText(`${"x".repeat(1_999)}😀`)).toBe(`${"x".repeat(1_999)}\uFFFD… (2001 characters)`);
});
