import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { createRowStream } from "../../provider/client/row-stream.ts";

const row = z.object({ key: z.string() });

/** Parses a text in chunks of `size` bytes. */
function read(text: string, size = 3) {
  const stream = createRowStream(row);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
  return { rows: stream.rows.map(({ key }) => key), frame: stream.frame(), wrong: stream.wrong() };
}

test("the rows of an array are parsed one by one, and the rest of the document is unchanged", () => {
  expect(read('[{"key":"a"},{"key":"b"}]')).toEqual({ rows: ["a", "b"], frame: "[]", wrong: undefined });
  expect(read('{"prefix":"x/","objects":[ {"key":"a"} , {"key":"b","more":[{}]} ],"next":1}')).toMatchObject({
    rows: ["a", "b"],
    frame: expect.stringMatching(/^\{"prefix":"x\/","objects":\[\s*\],"next":1\}$/),
  });
});

test("brackets, quotes and backslashes in texts do not split rows, for any chunk boundaries", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 9 }), (keys, size) => {
      const text = JSON.stringify({ prefix: keys[0] ?? "", objects: keys.map((key) => ({ key })) });
      const { rows, frame } = read(text, size);
      expect(rows).toEqual(JSON.parse(text).objects.map((object: { key: string }) => object.key));
      expect(JSON.parse(frame)).toEqual({ prefix: JSON.parse(text).prefix, objects: [] });
    }),
  );
});

test("an invalid or truncated row is an error", () => {
  expect(read('[{"key":"a"},{"key":1}]').wrong).toBe("the field 1.key");
  expect(read('[{"key":}]').wrong).toBe("the field 0");
  expect(read(`[{"key":"${"x".repeat(1_100_000)}`, 65_536).wrong).toBe("an incomplete row");
});

test("a document without an array of rows is unchanged", () => {
  const page = "<!doctype html><p>Sign in</p>";
  expect(read(page)).toEqual({ rows: [], frame: page, wrong: undefined });
  const cut = '{"objects":[{"key":"a"},{"ke';
  expect(read(cut)).toMatchObject({ rows: ["a"], frame: '{"objects":[{"ke' });
  expect(read('{"objects":null,"tags":["a","b"]}').frame).toBe('{"objects":null,"tags":["a","b"]}');
});
