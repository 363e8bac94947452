import { expect, test } from "@jest/globals";
import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";
import fc from "fast-check";
import { InputError } from "../../../provider/core/error.ts";
import { exactNumber } from "../../../provider/core/number.ts";
import { equal, secret, UNKNOWN, type Value } from "../../../provider/core/value.ts";
import type { Member, Shape } from "../../../provider/definition/shape.ts";
import { decode, decodeJson, encode } from "../../../provider/terraform/codec/value.ts";

const string: Shape = { kind: "string" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };
const list = (of: Shape): Shape => ({ kind: "list", of });
const map = (of: Shape): Shape => ({ kind: "map", of });
const object = (fields: { [name: string]: Shape }): Shape => ({
  kind: "object",
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, shape]): [string, Member] => [
      name,
      { shape, about: "", setBy: "user", required: false, secret: false, writeOnly: false },
    ]),
  ),
});

const packed = (value: unknown) => ({
  msgpack: new Encoder({ useBigInt64: true }).encode(value),
});
const problemOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    if (error instanceof InputError) return error.problems[0];
    throw error;
  }
};

/** Any shape with a value of that shape. */
const shaped: fc.Arbitrary<{ shape: Shape; value: Value }> = fc.letrec<{
  any: { shape: Shape; value: Value };
}>((tie) => {
  const text = fc.string({ unit: "binary" }).map((value) => value.normalize("NFC"));
  const name = fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/);
  const leaf = fc.oneof(
    text.map((value) => ({ shape: string, value: value as Value })),
    fc.boolean().map((value) => ({ shape: boolean, value: value as Value })),
    fc.oneof(fc.integer(), fc.maxSafeInteger()).map((value) => ({ shape: number, value: value as Value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ shape: number, value: (value === 0 ? 0 : value) as Value })),
    fc.constant({ shape: string, value: UNKNOWN as Value }),
    fc.constant({ shape: list(string), value: null as Value }),
  );
  return {
    any: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(text).map((value) => ({ shape: list(string), value: value as Value })),
      fc
        .dictionary(fc.oneof(text, fc.constantFrom("__proto__", "constructor", "7")), fc.integer(), {
          noNullPrototype: false,
        })
        .map((value) => ({ shape: map(number), value: value as Value })),
      fc.dictionary(name, tie("any"), { maxKeys: 5 }).map((members) => ({
        shape: object(Object.fromEntries(Object.entries(members).map(([key, { shape }]) => [key, shape]))),
        value: Object.fromEntries(Object.entries(members).map(([key, { value }]) => [key, value])) as Value,
      })),
    ),
  };
}).any;

test("an encoded value of any shape decodes to the same value", () => {
  fc.assert(
    fc.property(shaped, ({ shape, value }) => {
      const back = decode(encode(value, shape), shape);
      if (!equal(back, value)) throw new Error("decoding returned another value");
    }),
    { seed: 3, numRuns: 500 },
  );
});

test("an object is encoded with exactly the attributes of its type, null where it has none", () => {
  const shape = object({ sizeGb: number, name: string, metadata: map(string) });
  const wire = new Decoder().decode(
    encode({ sizeGb: 3, other: "dropped" }, shape).msgpack ?? new Uint8Array(),
  );
  expect(wire).toEqual({ size_gb: "3", name: null, metadata: null });
});

test("numbers are encoded as the decimal text of a stored state, which engines parse with the same precision", () => {
  const shape = object({ sizes: list(number), limits: map(number), ratio: number });
  const value = { sizes: [0, -0, 20, -1, 9007199254740991], limits: { read: 100 }, ratio: 0.1 };
  expect(new Decoder().decode(encode(value, shape).msgpack ?? new Uint8Array())).toEqual({
    sizes: ["0", "0", "20", "-1", "9007199254740991"],
    limits: { read: "100" },
    ratio: "0.1",
  });
});

test("an absent, an empty and a null message decode to null", () => {
  expect(decode(undefined, string)).toBeNull();
  expect(decode({ msgpack: new Uint8Array() }, string)).toBeNull();
  expect(decode(packed(null), string)).toBeNull();
});

test("JSON is decoded when there is no msgpack", () => {
  const shape = object({ name: string, sizeGb: number });
  const read = decode({ json: Buffer.from('{"name":"data","size_gb":0.1}') }, shape);
  expect(read).toEqual({ name: "data", sizeGb: 0.1 });
});

test("unknown values are decoded in every form and encoded without refinement", () => {
  expect(Buffer.from(encode(UNKNOWN, string).msgpack ?? []).toString("hex")).toBe("d40000");
  expect(decode({ msgpack: Buffer.from("d40000", "hex") }, number)).toBe(UNKNOWN);
  const refined = new Encoder().encode(new ExtData(12, new Encoder().encode({ 1: false, 2: "krn:" })));
  expect(decode({ msgpack: refined }, string)).toBe(UNKNOWN);
  expect(decode(packed([new ExtData(0, new Uint8Array(1)), "b"]), list(string))).toEqual([UNKNOWN, "b"]);
});

test("a secret is encoded in plain text: the engine marks it by its schema", () => {
  expect(decode(encode({ key: secret("abc") }, object({ key: string })), object({ key: string }))).toEqual({
    key: "abc",
  });
});

test("the map key __proto__ is decoded and encoded like any other", () => {
  const wire = Object.assign(Object.create(null), { ["__proto__"]: "a", constructor: "b" });
  const read = decode(packed(wire), map(string));
  expect(Object.entries(read as object)).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  expect(equal(decode(encode(read, map(string)), map(string)), read)).toBe(true);
  expect(Object.keys(decodeJson(Buffer.from('{"__proto__":"a"}'), map(string)) as object)).toEqual([
    "__proto__",
  ]);
});

test("integers, doubles and decimal text are decoded exactly, or rejected with their path", () => {
  const shape = object({ sizeGb: number });
  const read = (wire: unknown) => problemOf(() => decode(packed({ size_gb: wire }), shape));
  expect(read(7)).toEqual({ sizeGb: 7 });
  expect(read(9007199254740991n)).toEqual({ sizeGb: 9007199254740991 });
  expect(read("0.1")).toEqual({ sizeGb: 0.1 });
  expect(read(0.25)).toEqual({ sizeGb: 0.25 });
  expect(read("1e3")).toEqual({ sizeGb: 1000 });
  expect(read(9007199254740993n)).toEqual({
    path: ["sizeGb"],
    problem: "9007199254740993 is a number that cannot be represented exactly",
  });
  expect(read("0.30000000000000000001")).toEqual({
    path: ["sizeGb"],
    problem: "0.30000000000000000001 is a number that cannot be represented exactly",
  });
});

test("stored numbers are exact or rejected", () => {
  const read = (json: string) => problemOf(() => decodeJson(Buffer.from(json), list(number)));
  expect(read("[1,0.1,12345678901234,1e21]")).toEqual([1, 0.1, 12345678901234, 1e21]);
  expect(read("[9007199254740992]")).toEqual([9007199254740992]);
  expect(read("[1,12345678901234567890123]")).toEqual({
    path: [1],
    problem: "12345678901234567890123 is a number that cannot be represented exactly",
  });
  expect(read("[1e400]")).toEqual({
    path: [0],
    problem: "1e400 is a number that cannot be represented exactly",
  });
});

test("every double is read from its own text, and a neighbouring decimal is not", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      fc.pre(value !== 0);
      const text = String(value);
      expect(exactNumber(text)).toBe(value);
      const [digits = "", exponent] = text.split("e");
      const longer = `${digits.includes(".") ? digits : `${digits}.0`}0000000000000000000001`;
      expect(exactNumber(exponent === undefined ? longer : `${longer}e${exponent}`)).toBeUndefined();
    }),
    { seed: 3 },
  );
});

test("text is normalized to NFC, and a lone surrogate is rejected", () => {
  expect(new Decoder().decode(encode("e\u0301", string).msgpack ?? new Uint8Array())).toBe("\u00e9");
  expect(problemOf(() => encode({ name: "\ud800" }, object({ name: string })))).toEqual({
    path: ["name"],
    problem: "is not valid Unicode text",
  });
});

test("a value of another shape is rejected with its path", () => {
  const shape = object({ tags: map(list(string)) });
  expect(problemOf(() => decode(packed({ tags: { a: ["x", 1] } }), shape))).toEqual({
    path: ["tags", "a", 1],
    problem: "must be a string",
  });
});
