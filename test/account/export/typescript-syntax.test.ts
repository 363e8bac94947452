import { expect, test } from "@jest/globals";
import { type Code, objectCode, textCode } from "../../../account/export/code.ts";
import { startOfLine } from "../../../account/export/layout.ts";
import {
  callLines,
  importText,
  propertyName,
  typescript,
  typescriptLiteral,
  typescriptText,
} from "../../../account/export/typescript-syntax.ts";

const list = (...texts: string[]): Code => ({ kind: "list", items: texts.map(textCode) });
const wide = `"${"x".repeat(50)}"`;

test.each([
  ["team", "team"],
  ["cost center", '"cost center"'],
  ["7", '"7"'],
  ['say "hi"', `'say "hi"'`],
])("the key %j is %s", (key, expected) => {
  expect(propertyName(key)).toBe(expected);
});

test.each([
  ["plain", '"plain"'],
  [7, "7"],
  [true, "true"],
])("the value %j is %s", (value, expected) => {
  expect(typescriptLiteral(value)).toBe(expected);
});

test("a call whose first line is too wide has a line for each argument", () => {
  const name = "x".repeat(80);
  const value = objectCode([["a", textCode(wide)]]);
  expect(callLines(`const ${name} = new Vpc`, ['"a"'], value)).toEqual([
    `const ${name} = new Vpc("a", {`,
    `  a: ${wide},`,
    "});",
  ]);
  expect(callLines(`const ${name} = new Vpc`, ['"abcdefghij"'], value)).toEqual([
    `const ${name} = new Vpc(`,
    '  "abcdefghij",',
    `  { a: ${wide} },`,
    ");",
  ]);
});

test("a value that fits is on one line", () => {
  const value = objectCode([
    ["sizes", list("1", "2")],
    ["empty", list()],
    ["none", objectCode([])],
    ["text", { kind: "call", name: "Fn.jsonencode", argument: objectCode([["a", textCode("1")]]) }],
  ]);
  expect(typescriptText(value, startOfLine)).toBe(
    "{ sizes: [1, 2], empty: [], none: {}, text: Fn.jsonencode({ a: 1 }) }",
  );
});

test("a value that does not fit has a line for each part, and a wide text a line of its own", () => {
  const value = objectCode([
    ["names", list(wide, wide, wide)],
    ["description", textCode(`"${"y".repeat(99)}"`)],
    ["name", textCode(`"${"z".repeat(120)}"`)],
  ]);
  expect(typescriptText(value, startOfLine)).toBe(`{
  names: [
    ${wide},
    ${wide},
    ${wide},
  ],
  description:
    "${"y".repeat(99)}",
  name: "${"z".repeat(120)}",
}`);
});

test("the width includes what is before and after the value", () => {
  const value = list(`"${"x".repeat(96)}"`);
  const onOneLine = typescriptText(value, { indent: 0, before: 8, after: 2 });
  expect(onOneLine).toHaveLength(100);
  expect(typescriptText(value, { indent: 0, before: 8, after: 3 })).toBe(`[\n  "${"x".repeat(96)}",\n]`);
});

test("names of an import are sorted, each on a line if they do not fit", () => {
  expect(importText(["Vpc", "Volume", "Vpc"], "./a.ts")).toBe('import { Volume, Vpc } from "./a.ts";');
  const names = Array.from({ length: 30 }, (_, index) => `name${index + 10}`);
  expect(importText(names, "./a.ts")).toBe(
    ["import {", ...names.map((name) => `  ${name},`), '} from "./a.ts";'].join("\n"),
  );
});

test("a key that would set the prototype is a property", () => {
  expect(["name", "a b", "__proto__"].map(propertyName)).toEqual(["name", '"a b"', '["__proto__"]']);
});

test("packages are imported before the modules of the program, each group in alphabetical order", () => {
  const imports = new Map(
    ["./vpc.ts", "@kcloud/iac/cdktf", "./stack.ts"].map((name) => [name, new Set(["a"])]),
  );
  expect(typescript.importLines(imports).map((line) => line.split(" from ")[1])).toEqual([
    ...['"@kcloud/iac/cdktf";', '"./stack.ts";', '"./vpc.ts";'],
  ]);
});
