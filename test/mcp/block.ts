import { expect } from "@jest/globals";
import { notice } from "../../mcp/text.ts";

/** Checks of texts in results. */

/** Matches characters that are not visible, except line breaks and tabs. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Checks that a result is a notice and one block of JSON that nothing in it can end. */
export function expectInPlace(text: string, structured: object): void {
  const start = `${notice}\n\`\`\`json\n`;
  expect(text.startsWith(start)).toBe(true);
  expect(text.endsWith("\n```")).toBe(true);
  const block = text.slice(start.length, -4);
  expect(/[`<>&~]/.exec(block)).toBeNull();
  expect(hidden.exec(block)).toBeNull();
  expect(JSON.parse(block)).toEqual(structured);
  expect(textsIn(structured).filter((one) => hidden.test(one))).toEqual([]);
}

/** Returns the texts and the names in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)])
      : [];
