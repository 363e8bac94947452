import { expect, test } from "@jest/globals";
import {
  hclBlock,
  hclKey,
  hclList,
  hclObject,
  hclString,
  hclText,
} from "../../../account/export/hcl-syntax.ts";

test.each([
  ["plain", '"plain"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["a\\b\tc\n", '"a\\\\b\\tc\\n"'],
  ["${a} %{b} $c %d", '"$${a} %%{b} $c %d"'],
  ["\u0000\u202e\u{1f600}", '"\\u0000\\u202e\u{1f600}"'],
])("the text %j is the string %s", (text, expected) => {
  expect(hclString(text)).toBe(expected);
});

test.each([
  ["team", "team"],
  ["cost center", '"cost center"'],
  ["a.b", '"a.b"'],
  ["for", '"for"'],
  ["1st", '"1st"'],
])("the key %j is %s", (key, expected) => {
  expect(hclKey(key)).toBe(expected);
});

test("a text of several lines is a heredoc with its content unchanged", () => {
  expect(hclText('first ${a}\n\n  second \\ "x"\n')).toEqual([
    "<<EOT",
    "first $${a}",
    "",
    '  second \\ "x"',
    "EOT",
  ]);
});

test.each([
  "one line\n",
  "no line break\nat the end",
  "with a return\r\nin it\n",
  "with\n EOT\nin it\n",
  "a\n\u202e\n",
])("the text %j is a string on one line", (text) => {
  expect(hclText(text)).toEqual([hclString(text)]);
});

test("a block aligns neighbouring attributes, and separates those of several lines", () => {
  const value = hclObject([
    { name: "a", value: ["1"] },
    { name: '"b c"', value: ["2"] },
  ]);
  const lines = hclBlock('resource "x" "y"', [
    { name: "name", value: ['"n"'] },
    { name: "size_gb", value: ["1"] },
    { name: "tags", value },
    { name: "about", value: hclText("first\n\nsecond\n") },
    { name: "kind", value: ["2"] },
  ]);
  expect(lines.join("\n")).toBe(`resource "x" "y" {
  name    = "n"
  size_gb = 1

  tags = {
    a     = 1
    "b c" = 2
  }

  about = <<EOT
first

second
EOT

  kind = 2
}`);
});

test("a long list has a line for each item", () => {
  const items = Array.from({ length: 9 }, (_, index) => [`kcloud_security_group.group_${index}.id`]);
  expect(hclList(items.slice(0, 2))).toEqual([
    "[kcloud_security_group.group_0.id, kcloud_security_group.group_1.id]",
  ]);
  expect(hclList(items)).toEqual(["[", ...items.map(([item]) => `  ${item},`), "]"]);
});

test("keys are aligned by their characters, whatever their number of code points", () => {
  const keys = [
    "e\u0301t\u00e9",
    "\u0939\u093f\u0928\u094d\u0926\u0940",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "abc",
  ];
  const lines = hclObject(keys.map((key) => ({ name: `"${key}"`, value: ["1"] })));
  expect(lines.slice(1, -1).map((line) => line.split("=")[0]?.slice(2))).toEqual(
    keys.map((key, index) => `"${key}"${" ".repeat([1, 1, 3, 1][index] ?? 0)}`),
  );
});
