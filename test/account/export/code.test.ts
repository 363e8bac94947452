import { expect, test } from "@jest/globals";
import { escaped, jsonString, quoted, stringList } from "../../../account/export/code.ts";

test.each([
  ["plain", '"plain"'],
  ['a"b\\\n', '"a\\"b\\\\\\n"'],
  ["\u0085\u202e\u{1f600}", '"\\u0085\\u202e\u{1f600}"'],
  ["\ud800", '"\ufffd"'],
])("the text %j is the string %s", (text, expected) => {
  expect(jsonString(text)).toBe(expected);
});

test.each([
  ["plain", '"plain"'],
  [`"a" 'b'`, `"\\"a\\" 'b'"`],
  [`"a" it's \\"`, `'"a" it\\'s \\\\"'`],
  ["a\u202e\n", '"a\\u202e\\n"'],
])("the text %j is %s in single quotes if these need fewer escapes", (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

test("a character is escaped by its number", () => {
  expect(escaped("\u0007")).toBe("\\u0007");
});

test("a list has the strings of its language", () => {
  expect(stringList(["a", "b"], (text) => `<${text}>`)).toEqual({
    kind: "list",
    items: [
      { kind: "text", text: "<a>" },
      { kind: "text", text: "<b>" },
    ],
  });
});
