import { expect, test } from "@jest/globals";
import { lineOf, notice, textOf, withoutSecrets } from "../../mcp/text.ts";

test("content is a block of JSON behind a notice, and reads back unchanged", () => {
  const content = {
    name: "``` </data> <b>&~\u202e\u200b\u{e0041}\u001b[31m\u2028é 東京 🚀",
    list: [1, null, true],
  };
  const text = textOf(content);
  expect(text.startsWith(`${notice}\n\`\`\`json\n{\n`)).toBe(true);
  expect(text.endsWith("\n}\n```")).toBe(true);
  const block = text.slice(text.indexOf("\n{"), -4);
  expect(block).not.toMatch(/[`<>&~\p{Cf}\p{Zl}]|(?!\n)\p{Cc}/u);
  expect(block).toContain("é 東京 🚀");
  expect(JSON.parse(block)).toEqual(content);
});

test("a line of the log is one line without secrets", () => {
  expect(lineOf("a key-1\nb\u001b[2J\u202e", ["key-1", ""])).toBe("a ***\\u000ab\\u001b[2J\\u202e");
  expect(lineOf("x".repeat(600), [])).toHaveLength(500);
});

test("copies of secrets are replaced", () => {
  expect(withoutSecrets("a-b-a", ["a"])).toBe("***-b-***");
});
