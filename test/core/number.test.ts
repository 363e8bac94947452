import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { sameJson } from "../../provider/core/number.ts";

test("JSON texts are compared by meaning, their numbers digit by digit", () => {
  const same = (a: string, b: string) => [sameJson(a, b), sameJson(`{"a":[${a}]}`, `{"a": [ ${b} ]}`)];
  expect(same("9007199254740993", "9007199254740992")).toEqual([false, false]);
  expect(same("9007199254740993", "9007199254740993.0")).toEqual([true, true]);
  expect(same("1e400", "1e401")).toEqual([false, false]);
  expect(same("1e2", "100.0")).toEqual([true, true]);
  expect(same('"9007199254740993"', "9007199254740993")).toEqual([false, false]);
  expect(sameJson('{"a":1,"b":2}', '{ "b": 2, "a": 1 }')).toBe(true);
});

test("two whole numbers of any size in JSON are the same only if they are equal", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: -2n, max: 2n }), (number, more) => {
      expect(sameJson(String(number), String(number + more))).toBe(more === 0n);
    }),
  );
});
