import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { planOf } from "../plan-of.ts";
import { reportOf } from "../render/outputs.ts";

const differencesIn = (text: string, key?: string) =>
  reportOf([readPlan("shop", text)], key).changes.map(({ differences }) => differences);

test("a key with dots and an object inside of another one are different values", () => {
  const found = differencesIn(
    planOf([
      { before: { a: { "b.c": 1 } }, after: { a: { "b.c": 2 } } },
      { before: { a: { b: { c: 1 } } }, after: { a: { b: { c: 2 } } } },
      { before: { "a\nfalse": 1 }, after: { "a\nfalse": 2 } },
    ]),
  );
  expect(found.map((differences) => differences.map(({ path, name }) => [path, name]))).toEqual([
    [[["a", "b.c"], 'a["b.c"]']],
    [[["a", "b", "c"], "a.b.c"]],
    [[["a\\u{a}false"], '["a\\nfalse"]']],
  ]);
});
