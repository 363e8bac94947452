import { expect, test } from "@jest/globals";
import { documentsIn, type Parts, sourceOfText } from "../../../review/read/document.ts";

const all: Parts = new Map();

const limits = (chunk: number, longest = 1e6) => ({ chunk, longest });

const read = (text: string, chunk: number, parts = all): unknown[] => [
  ...documentsIn(sourceOfText(text), parts, limits(chunk)),
];

test("characters that mark engine-specific words are replaced in values", () => {
  for (const text of ['{"a":"x\uE000y"}', String.raw`{"a":"x\uE000y"}`, String.raw`{"a":"x\ue000y"}`])
    expect(read(text, 4)).toEqual([{ a: "x\uFFFDy" }]);
});
