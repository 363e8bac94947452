import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  at,
  conceal,
  equal,
  hasUnknown,
  isSecret,
  mapValues,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";

/** Any plain value, including property names that JSON allows but that collide with members of `Object.prototype`. */
const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString"));
const { plain } = fc.letrec<{ plain: Value }>((tie) => ({
  plain: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.array(tie("plain"), { maxLength: 4 }),
    fc.dictionary(name, tie("plain"), { maxKeys: 4, noNullPrototype: false }),
  ),
}));
const { marked } = fc.letrec<{ marked: Value }>((tie) => ({
  marked: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.constant(UNKNOWN as Value),
    fc.array(tie("marked"), { maxLength: 3 }),
    fc.dictionary(name, tie("marked"), { maxKeys: 3 }),
    tie("marked").map((value) => secret(value)),
  ),
}));

test("a secret prints and serializes as an empty object", () => {
  const hidden = secret({ password: "hunter2" });
  expect(JSON.stringify({ hidden })).toBe('{"hidden":{}}');
  expect(`${inspect(hidden, { depth: 9 })}${Object.keys(hidden)}${Object.entries(hidden)}`).toBe("{}");
  expect(structuredClone(hidden)).toEqual({});
});

test("revealing removes every secret mark at every depth, and changes nothing else", () => {
  const bare = (value: Value): boolean =>
    !isSecret(value) &&
    (typeof value !== "object" || value === null || Object.values(value).every((item) => bare(item)));
  fc.assert(fc.property(marked, (value) => bare(reveal(value))));
  fc.assert(fc.property(plain, (value) => equal(reveal(value), value)));
});

test("values that were secret before are secret at the same paths afterwards", () => {
  fc.assert(
    fc.property(marked, (value) => {
      const again = conceal(reveal(value), value);
      return equal(reveal(again), reveal(value)) && isSecret(again) === isSecret(value);
    }),
  );
  const like = { a: secret("x"), b: [secret("y")] };
  const shown = conceal({ a: "1", b: ["2", "3"], c: "4" }, like) as Values;
  expect(isSecret(shown.a)).toBe(true);
  expect((shown.b as Value[]).map(isSecret)).toEqual([true, false]);
  expect(isSecret(shown.c)).toBe(false);
});

test("an unknown value is found at any depth", () => {
  expect(hasUnknown({ a: [{ b: secret([UNKNOWN]) }] })).toBe(true);
  expect(hasUnknown({ a: [{ b: secret("known") }] })).toBe(false);
  expect(hasUnknown(undefined)).toBe(false);
});

test("equality ignores the order of names", () => {
  fc.assert(
    fc.property(fc.dictionary(name, plain), (record) => {
      const turned = Object.create(null) as Values;
      for (const key of Object.keys(record).reverse()) turned[key] = record[key] as Value;
      return equal(record, turned);
    }),
  );
  expect(equal({ a: 1 }, { a: 1, b: null })).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal("1", 1)).toBe(false);
});

test("a name such as __proto__ has no special meaning", () => {
  const made = mapValues(JSON.parse('{"__proto__": "x", "a": "y"}') as Values, (value) => value);
  expect(Object.entries(made)).toEqual([
    ["__proto__", "x"],
    ["a", "y"],
  ]);
  expect(({} as Values).x).toBeUndefined();
});

test("a path leads through lists, records and secret marks, and a value below a mark stays marked", () => {
  const values = { a: { b: [{ c: 1 }] }, s: secret({ t: { u: 2 } }) };
  expect(at(values, ["a", "b", 0, "c"])).toBe(1);
  expect(at(values, [])).toBe(values);
  expect(at(values, ["a", "x"])).toBeUndefined();
  expect(at(values, ["a", "toString"])).toBeUndefined();
  const found = at(values, ["s", "t", "u"]);
  expect(isSecret(found)).toBe(true);
  expect(reveal(found as Value)).toBe(2);
  expect(at(values, ["s", "x"])).toBeUndefined();
});
