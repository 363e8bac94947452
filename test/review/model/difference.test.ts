import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** Returns a plan of another provider whose objects change from these values to others. */
const planOf = (changes: readonly { before: object; after: object; masks?: object }[]): string =>
  JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: changes.map(({ before, after, masks = {} }, at) => ({
      address: `db_user.shop[${at}]`,
      mode: "managed",
      type: "db_user",
      change: {
        actions: ["update"],
        before,
        after,
        before_sensitive: masks,
        after_sensitive: masks,
        after_unknown: {},
      },
    })),
  });

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
