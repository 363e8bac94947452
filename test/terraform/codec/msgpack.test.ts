import { expect, test } from "@jest/globals";
import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";
import fc from "fast-check";
import { UNKNOWN } from "../../../provider/core/value.ts";
import {
  decodeMsgpack,
  encodeMsgpack,
  tryAscii,
  writeArrayStart,
  writeMapStart,
  writeNull,
  writeText,
} from "../../../provider/terraform/codec/msgpack.ts";

/** Independent implementation that both directions are compared with; the provider does not use it. */
const reference = {
  decoder: new Decoder({ useBigInt64: true }),
  encoder: new Encoder({ useBigInt64: true }),
};

/** Lengths on both sides of each boundary between two encodings. */
const lengths = [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536];

test("any value that a library encodes is decoded to the same value", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  const values = fc.anything({
    values: [text, fc.boolean(), fc.constant(null), fc.integer(), fc.maxSafeInteger(), fc.double()],
    key: text.filter((key) => key !== "__proto__"),
    maxDepth: 4,
    withNullPrototype: false,
  });
  fc.assert(
    fc.property(values, (value) => {
      expect(decodeMsgpack(reference.encoder.encode(value))).toEqual(
        reference.decoder.decode(reference.encoder.encode(value)),
      );
    }),
    { seed: 3, numRuns: 500 },
  );
});

test.each(lengths)("text, lists and maps of %i are decoded and encoded", (length) => {
  const [ascii, other] = ["a".repeat(length), "\u00e9".repeat(length)];
  const names = Array.from({ length }, (_, at) => `key-${at}`);
  for (const value of [ascii, other, names, Object.fromEntries(names.map((name) => [name, null]))])
    expect(decodeMsgpack(reference.encoder.encode(value))).toEqual(value);
  const written = encodeMsgpack(() => {
    writeMapStart(3);
    writeText("ascii");
    writeText(ascii);
    writeText("other");
    writeText(other);
    writeText("names");
    writeArrayStart(length);
    for (const name of names) writeText(name);
  });
  expect(reference.decoder.decode(written)).toEqual({ ascii, other, names });
  const map = encodeMsgpack(() => {
    writeMapStart(length);
    for (const name of names) {
      writeText(name);
      writeNull();
    }
  });
  expect(Object.keys(reference.decoder.decode(map) as object)).toEqual(names);
});

test("integers are numbers if they are safe, else bigints", () => {
  const integers = [127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, -32, -33, -128, -129, -32_769];
  for (const integer of integers) expect(decodeMsgpack(reference.encoder.encode(integer))).toBe(integer);
  expect(decodeMsgpack(reference.encoder.encode(2n ** 53n - 1n))).toBe(2 ** 53 - 1);
  for (const integer of [2n ** 53n + 1n, 2n ** 64n - 1n, -(2n ** 63n)])
    expect(decodeMsgpack(reference.encoder.encode(integer))).toBe(integer);
  expect(decodeMsgpack(Buffer.from("ca3f000000", "hex"))).toBe(0.5);
});

test.each([0, 1, 2, 4, 8, 16, 17, 255, 256, 65_536])(
  "an extension of %i bytes is an unknown value",
  (length) => {
    const extension = new ExtData(12, new Uint8Array(length));
    expect(decodeMsgpack(reference.encoder.encode([extension, "after"]))).toEqual([UNKNOWN, "after"]);
  },
);

test("every incomplete message is an error, and so is a message with more than one value", () => {
  const message = reference.encoder.encode({
    name: "d\u00e4ta",
    size: 300,
    ratio: 0.5,
    far: 2n ** 60n,
    list: [true],
  });
  for (let length = 0; length < message.length; length++)
    expect(() => decodeMsgpack(message.subarray(0, length))).toThrow("ends within a value");
  expect(() => decodeMsgpack(Buffer.concat([message, Buffer.from([0xc0])]))).toThrow("more than one value");
});

test.each(["c1", "c403000000", "8101c0"])("bytes that no engine sends are an error: %s", (bytes) => {
  expect(() => decodeMsgpack(Buffer.from(bytes, "hex"))).toThrow("MessagePack");
});

test("a message that fails, or that is encoded during another one, does not change the other message", () => {
  const fail = () => {
    writeText("of the failed message");
    throw new Error("failed");
  };
  expect(() => encodeMsgpack(fail)).toThrow("failed");
  let inner: Uint8Array | undefined;
  const outer = encodeMsgpack(() => {
    writeArrayStart(2);
    writeText("a");
    inner = encodeMsgpack(() => writeText("inner ".repeat(20_000)));
    writeText("b");
  });
  expect(reference.decoder.decode(outer)).toEqual(["a", "b"]);
  expect(reference.decoder.decode(inner ?? [])).toBe("inner ".repeat(20_000));
});

test("text with other characters is not written as ASCII", () => {
  const written = encodeMsgpack(() => {
    writeArrayStart(1);
    expect(tryAscii("e\u0301")).toBe(false);
    expect(tryAscii("\ud800")).toBe(false);
    expect(tryAscii("data")).toBe(true);
  });
  expect(reference.decoder.decode(written)).toEqual(["data"]);
});
