import { expect, test } from "@jest/globals";
import { bracketed, type Layout, partOf, startOfLine } from "../../../account/export/layout.ts";

const layout: Layout = { indent: 4, width: 20, padding: " " };

test("parts that fit are on one line, those of an object with a space on each side", () => {
  expect(bracketed("[]", ["1", "2"], startOfLine, layout)).toBe("[1, 2]");
  expect(bracketed("{}", ["a: 1"], startOfLine, layout)).toBe("{ a: 1 }");
  expect(bracketed("{}", [], startOfLine, layout)).toBe("{}");
});

test("parts that do not fit, or of which one has several lines, have a line each", () => {
  const parts = ["abcdefgh", "ijklmnop"];
  expect(bracketed("()", parts, startOfLine, layout)).toBe("(abcdefgh, ijklmnop)");
  const lines = "(\n    abcdefgh,\n    ijklmnop,\n)";
  expect(bracketed("()", parts, { ...startOfLine, before: 1 }, layout)).toBe(lines);
  expect(bracketed("()", parts, { ...startOfLine, after: 1 }, layout)).toBe(lines);
  expect(bracketed("()", ["a\nb"], startOfLine, layout)).toBe("(\n    a\nb,\n)");
});

test("a part begins at the next level and ends with a comma", () => {
  expect(partOf({ indent: 4, before: 10, after: 3 }, layout)).toEqual({ indent: 8, before: 8, after: 1 });
});
