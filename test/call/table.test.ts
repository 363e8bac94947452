import { expect, test } from "@jest/globals";
import { tableText } from "../../call/table.ts";

const plain = (text: string) => text;

test("rows are aligned, with name, status and ID first, and without fields that do not fit", () => {
  const rows = [
    { size: 10, id: "1", tags: ["a"], name: "data", long: "x".repeat(40) },
    { size: 2, id: "22", name: "日本", extra: null },
  ];
  expect(tableText(rows, 30, plain)).toBe("NAME  ID  SIZE\ndata  1   10\n日本  22  2\n");
});

test("a text of the API neither moves the cursor nor shows a secret", () => {
  const redact = (text: string) => text.replace("canary", "***");
  expect(tableText([{ name: "a\u001b[2J\nb canary" }], 80, redact)).toBe("NAME\na\\u001b[2J\\u000ab ***\n");
});

test("rows that are no objects, or have only objects, are no table", () => {
  for (const rows of [[], ["a"], [{ a: {} }], [{ a: 1 }, null]])
    expect(tableText(rows, 80, plain)).toBeUndefined();
});
