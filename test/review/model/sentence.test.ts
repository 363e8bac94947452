import { expect, test } from "@jest/globals";
import { documentsIn, type Parts, sourceOfText } from "../../../review/read/document.ts";

const all: Parts = new Map();

const limits = (chunk: number, longest = 1e6) => ({ chunk, longest });

const read = (text: string, chunk: number, parts = all): unknown[] => [
  ...documentsIn(sourceOfText(text), parts, limits(chunk)),
];

test("the character that marks exact numbers is replaced in values", () => {
  for (const text of ['{"a":"x\uE003y"}', String.raw`{"a":"x\uE003y"}`, String.raw`{"a":"x\ue003y"}`])
    expect(read(text, 4)).toEqual([{ a: "x\uFFFDy" }]);
});
