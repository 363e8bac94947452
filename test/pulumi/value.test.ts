import { expect, test } from "@jest/globals";
import fc from "fast-check";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import {
  isSecret,
  type Plain,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import { structOf, valuesOf } from "../../provider/pulumi/plugin/struct.ts";
import { decodeValue, encodeValue, propertyPath } from "../../provider/pulumi/value.ts";

const signature = "4dabf18193072939515e22adb298388d";
const name = fc.string().filter((text) => text !== "__proto__" && text !== signature);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.string(),
    fc.constant(UNKNOWN),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    // A secret inside a secret is one secret.
    tie("value").map((inner) => secret(reveal(inner))),
  ),
}));

/** Returns a value with comparable unknowns and secrets. */
function shown(value: Value | undefined): unknown {
  if (isSecret(value)) return { secret: shown(reveal(value)) };
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item)]));
  return value;
}

test("encoding and decoding a value returns the same value, at any depth", () => {
  fc.assert(
    fc.property(value, (value) => {
      expect(shown(decodeValue(encodeValue(value)))).toEqual(shown(value));
    }),
  );
});

test("encoding and decoding a protobuf message returns the same values", () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (values) => {
      const message = struct.Struct.deserializeBinary(structOf(values as Values).serializeBinary());
      expect(shown(valuesOf(message))).toEqual(shown(values as Values));
    }),
  );
});

test.each([
  ["string", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  ["boolean", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
  ["number", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
  ["array", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
  ["asset", "030794c1-ac77-496b-92df-f27374a8bd58"],
  ["archive", "e48ece36-62e2-4504-bad9-02848725956a"],
  ["object", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"],
])("the wire form of an unknown %s decodes to unknown", (_, sentinel) => {
  expect(decodeValue({ tags: [sentinel] })).toEqual({ tags: [UNKNOWN] });
});

test("a secret is encoded with its signature", () => {
  expect(encodeValue(secret("hunter2"))).toEqual({
    [signature]: "1b47061264138c4ac30d75fd1eb44270",
    value: "hunter2",
  });
});

test.each<[string, Plain, unknown]>([
  ["known", { value: "a" }, "a"],
  ["unknown", {}, UNKNOWN],
  ["secret", { value: "a", secret: true, dependencies: ["urn"] }, { secret: "a" }],
  ["secret and unknown", { secret: true }, { secret: UNKNOWN }],
])("an output value that is %s decodes to its value", (_, output, expected) => {
  const wire = { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...(output as object) };
  expect(shown(decodeValue(wire))).toEqual(expected);
});

test.each<[Plain, unknown]>([
  [{ urn: "urn:x", id: "krn:1" }, "krn:1"],
  [{ urn: "urn:x", id: "" }, UNKNOWN],
  [{ urn: "urn:x" }, "urn:x"],
])("a reference to a resource %j decodes to its id", (reference, expected) => {
  expect(decodeValue({ [signature]: "5cf8f73096256a8f31e491e813e4eb8e", ...(reference as object) })).toBe(
    expected,
  );
});

test("assets and archives pass unchanged", () => {
  const asset = { [signature]: "c44067f5952c0a294b673a41bacd8c17", hash: "ab", text: "hello" };
  const archive = { [signature]: "0def7320c3a5731c473e5ecbe6d01bc7", hash: "cd", assets: { a: asset } };
  expect(encodeValue(decodeValue({ asset, archive }))).toEqual({ asset, archive });
});

test.each([
  [["metadata"], "metadata"],
  [["metadata", "a.b"], 'metadata["a.b"]'],
  [["metadata", 'a"b'], 'metadata["a\\"b"]'],
  [["disks", 1, "sizeGb"], "disks[1].sizeGb"],
  [["a b"], '["a b"]'],
  [[], ""],
])("the path %j is formatted as %s", (path, text) => {
  expect(propertyPath(path)).toBe(text);
});
