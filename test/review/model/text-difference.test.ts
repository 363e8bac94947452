import { expect, test } from "@jest/globals";
import { planOf } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { changeFrom, linesOf } from "../value-change.ts";

const script = (nth: number, line: string) =>
  Array.from({ length: nth }, (_, at) => (at === 41 ? line : `echo ${at}`)).join("\n");

test("a text of several lines shows the lines that differ, and two around them", () => {
  expect(linesOf(script(200, "old"), script(200, "new"))).toEqual([
    "value:",
    "    line 40: echo 39",
    "    line 41: echo 40",
    "  − line 42: old",
    "  + line 42: new",
    "    line 43: echo 42",
    "    line 44: echo 43",
  ]);
});

test("a text in Base64 shows the lines that it holds", () => {
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const lines = linesOf(encoded("#!/bin/sh\necho one\n"), encoded("#!/bin/sh\necho two\n"));
  expect(lines).toEqual(
    [
      "value (Base64):",
      "    line 1: #!/bin/sh",
      "  − line 2: echo one",
      "  + line 2: echo two",
      "    line 3: ",
    ].map((line) => line.trimEnd()),
  );
});

test("a long line shows the passages that differ, with the characters around them", () => {
  const text = (one: string, other: string) =>
    `${"first ".repeat(100)}${one} ${"middle ".repeat(100)}${other} ${"last ".repeat(100)}`;
  const report = reportOf([planOf([changeFrom(text("a", "b"), text("x", "y"))])]);
  const parts = report.changes[0]?.differences[0]?.inner?.parts ?? [];
  const sides = parts.map(({ at, before, after }) => [
    at,
    ...[before, after].map((side) => (side?.kind === "value" ? side.text : undefined)),
  ]);
  const [first, middle, last] = [
    "first ".repeat(7).slice(2),
    " middle".repeat(7).slice(0, 40),
    " last".repeat(8),
  ];
  expect(sides).toEqual([
    ["character 601", `…${first}a${middle}…`, `…${first}x${middle}…`],
    [
      "character 1303",
      `…${"middle ".repeat(6).slice(2)}b${last}…`,
      `…${"middle ".repeat(6).slice(2)}y${last}…`,
    ],
  ]);
});
