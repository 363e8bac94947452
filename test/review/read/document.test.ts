import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { documentsIn, type Part, type Parts, sourceOfText } from "../../../review/read/document.ts";
import type { Json } from "../../../review/read/json.ts";
import { NotReviewableError, UnreadableError } from "../../../review/read/read.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";

/** JSON documents that are read in chunks, compared with `JSON.parse`. */

const fixture = (name: string) => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const all: Parts = new Map();

const limits = (chunk: number, longest = 1e6) => ({ chunk, longest });

const read = (text: string, chunk: number, parts = all): unknown[] => [
  ...documentsIn(sourceOfText(text), parts, limits(chunk)),
];

test.each(["terraform-1.16.0.json", "terraform-actions.json", "pulumi.json", "pulumi-events.jsonl"])(
  "%s is the same in chunks of any size",
  (name) => {
    const text = fixture(name);
    const documents = name.endsWith("l") ? text.trim().split("\n") : [text];
    const expected = documents.map((one): unknown => JSON.parse(one));
    for (const chunk of [1, 2, 3, 7, 64, 4096, 1e6]) expect(read(text, chunk)).toEqual(expected);
  },
);

const texts = [
  "",
  "a",
  "__proto__",
  'q"',
  "\\",
  "\\u0041",
  "ü",
  "€",
  "😀",
  "\u2028",
  "{[,:]}",
  "steps",
  "\n",
];

const spaces = ["", "", "", " ", "\t", "\r", "  "];

/** Returns a random value as JSON with spaces. */
function randomJson(draw: Draw, depth: number): string {
  const space = () => draw.pick(spaces);
  const string = () => JSON.stringify(draw.pick(texts) + draw.pick(texts));
  const parts = (one: (at: number) => string) =>
    Array.from({ length: draw.int(0, 3) }, (_, at) => `${space()}${one(at)}${space()}`).join(",");
  // Two members of one name are rejected.
  const name = (at: number) => JSON.stringify(draw.pick(texts) + String.fromCharCode(65 + at));
  switch (depth === 0 ? draw.int(0, 2) : draw.int(1, 5)) {
    case 0:
      return draw.pick(["true", "false", "null"]);
    case 1:
      return draw.pick(["0", "-1.5e3", "1234567890123456"]);
    case 2:
      return string();
    case 3:
      return `[${space()}${parts(() => randomJson(draw, depth - 1))}]`;
    default:
      return `{${space()}${parts((at) => `${name(at)}${space()}:${space()}${randomJson(draw, depth - 1)}`)}}`;
  }
}

/** Returns what a parser returns, or "refused". */
function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UnreadableError) return "refused";
    throw error;
  }
}

test("random JSON is read as by JSON.parse, and damaged or truncated JSON is rejected if JSON.parse rejects it", () => {
  const draw = createDraw("documents");
  let refused = 0;
  for (let nth = 0; nth < 3_000; nth++) {
    const whole = randomJson(draw, 4);
    const at = draw.int(0, whole.length);
    const sign = draw.pick(["", '"', "{", "}", "[", "]", ",", ":", "\\", "x", " "]);
    const damaged = whole.slice(0, at) + sign + whole.slice(at + draw.int(0, 1));
    for (const text of [whole, whole.slice(0, at).toWellFormed(), damaged.toWellFormed()]) {
      if (text.trim() === "") continue;
      const expected = outcome(() => [JSON.parse(text) as unknown]);
      if (expected === "refused") refused++;
      const found = outcome(() => read(text, draw.pick([1, 3, 16, 1000])));
      expect({ text, found }).toEqual({ text, found: expected });
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

test("objects of lists are converted one by one, at any depth", () => {
  const row = ({ id, ...rest }: Json) => ({ id, others: Object.keys(rest) });
  const modules = new Map<string, Part>([["rows", { row }]]);
  modules.set("inner", { members: modules });
  const parts: Parts = new Map([
    ["rows", { row }],
    ["values", { members: modules }],
  ]);
  const text =
    '{"rows":[{"id":2,"b":3},null,"c"],"other":{"rows":[{}]},"values":{"rows":[{"id":1}],"inner":[{"rows":[{"id":4,"c":"]}"}],"a":[1]},5]}}';
  for (const chunk of [1, 5, 1000])
    expect(read(text, chunk, parts)).toEqual([
      {
        rows: [{ id: 2, others: ["b"] }, null, "c"],
        other: { rows: [{}] },
        values: { rows: [{ id: 1, others: [] }], inner: [{ rows: [{ id: 4, others: ["c"] }], a: [1] }, 5] },
      },
    ]);
  expect(read('{"rows":{"id":1},"values":[]}', 8, parts)).toEqual([{ rows: { id: 1 }, values: [] }]);
  for (const cut of ['{"values":[1', '{"values":"a', '{"values":[1]', '{"values":', '{"values":}'])
    expect(() => read(cut, 4, parts)).toThrow(UnreadableError);
});

test("objects of a list with the same beginning are read as by JSON.parse, and damaged or truncated ones are rejected", () => {
  const rows: Parts = new Map([["rows", { row: (row) => row }]]);
  const draw = createDraw("rows");
  const inner = () => [{ id: 1 }, { id: draw.pick(texts) }];
  const list = Array.from({ length: 200 }, (_, id) => ({ id, name: draw.pick(texts), inner: inner() }));
  for (const separator of [",", " , "]) {
    const text = `{"rows":[${list.map((row) => JSON.stringify(row)).join(separator)}],"next":[]}`;
    for (const chunk of [16, 100, 1_000, 1e5]) expect(read(text, chunk, rows)).toEqual([JSON.parse(text)]);
    for (let nth = 0; nth < 100; nth++) {
      const at = draw.int(1, text.length);
      const damaged = `${text.slice(0, at)}${draw.pick(["", "}", '"', "[", "x"])}${text.slice(at + draw.int(0, 1))}`;
      for (const wrong of [text.slice(0, at).toWellFormed(), damaged.toWellFormed()]) {
        const found = outcome(() => read(wrong, 1_000, rows));
        expect({ at, found }).toEqual({ at, found: outcome(() => [JSON.parse(wrong) as unknown]) });
      }
    }
  }
});

test("a document with two members of one name cannot be reviewed", () => {
  expect(() => read('{"rows":[1],"rows":[]}', 8)).toThrow(NotReviewableError);
});

test("a value that exceeds the maximum length of a string is rejected", () => {
  const text = JSON.stringify({ a: "b".repeat(2_000) });
  expect(() => [...documentsIn(sourceOfText(text), all, limits(100, 1_000))]).toThrow(NotReviewableError);
});

test("text after a document on its line is an error with the line number", () => {
  expect(() => read('{"a":1} {"a":2}', 4)).toThrow("line 2 is not JSON");
  expect(() => read('{"a":1}\n{"a":2}\n{"a"', 4)).toThrow(
    "line 3 is not JSON: the file is truncated or damaged",
  );
});
