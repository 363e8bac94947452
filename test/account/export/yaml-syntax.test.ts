import { expect, test } from "@jest/globals";
import { type Code, objectCode, textCode } from "../../../account/export/code.ts";
import { yamlEntry, yamlScalar } from "../../../account/export/yaml-syntax.ts";

test.each([
  ["plain", "plain"],
  ["no", '"no"'],
  ["7", '"7"'],
  [7, "7"],
  [true, "true"],
  ["a: b\n", '"a: b\\n"'],
  ["${a} $b $$ $$${c} %{d}", '"$${a} $b $$$$ $$$$$${c} %{d}"'],
  ["\u0085\u202e\u{1f600}", '"\\u0085\\u202e\u{1f600}"'],
  ["\ud800", '"\ufffd"'],
])("the value %j is %s", (value, expected) => {
  expect(yamlScalar(value)).toBe(expected);
});

test("a list is on one line, or has a line for each item if it does not fit", () => {
  const list = (count: number): Code => ({
    kind: "list",
    items: Array.from({ length: count }, () => textCode("abcdefghij")),
  });
  expect(yamlEntry(["names", list(2)], 2)).toEqual(["  names: [abcdefghij, abcdefghij]"]);
  expect(yamlEntry(["names", list(9)], 2)).toEqual([
    "  names:",
    ...Array.from({ length: 9 }, () => "    - abcdefghij"),
  ]);
});

test("an object has a line for each entry, and a function is a key without quotes", () => {
  const inner = objectCode([["cost center", textCode("1")]]);
  expect(
    yamlEntry(
      [
        "tags",
        objectCode([
          ["none", objectCode([])],
          ["text", { kind: "call", name: "fn::toJSON", argument: inner }],
          ["list", { kind: "list", items: [inner] }],
        ]),
      ],
      0,
    ),
  ).toEqual([
    "tags:",
    "  none: {}",
    "  text:",
    "    fn::toJSON:",
    '      "cost center": 1',
    '  list: [{ "cost center": 1 }]',
  ]);
});
