import { expect, test } from "@jest/globals";
import { rules } from "../../../review/rule/catalogue.ts";
import { ruleCases } from "./all-cases.ts";

test("every rule has a case in which it applies and one in which it does not", () => {
  for (const { id } of rules) {
    const own = ruleCases.filter(({ rule }) => rule === id);
    expect([
      id,
      own.some(({ finds }) => finds.length > 0),
      own.some(({ finds }) => finds.length === 0),
    ]).toEqual([id, true, true]);
  }
});

test("ids of rules are unique, and their texts are sentences", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, title, about, remedy } of rules)
    expect([id, /[^.]$/.test(title), /\.$/.test(about), /[.)A-Z]$/.test(remedy)]).toEqual([
      id,
      true,
      true,
      true,
    ]);
});
