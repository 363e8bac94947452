import { expect, test } from "@jest/globals";
import { inAllWords } from "../../../provider/core/wording.ts";
import { rules } from "../../../review/rule/catalogue.ts";

test("ids of rules are unique, and their texts are sentences", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, title, about, remedy } of rules)
    expect([
      id,
      /[^.]$/.test(title),
      /\.$/.test(inAllWords(about)),
      /[.)A-Z]$/.test(inAllWords(remedy)),
    ]).toEqual([id, true, true, true]);
});
