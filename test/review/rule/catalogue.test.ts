import { expect, test } from "@jest/globals";
import { rules } from "../../../review/rule/catalogue.ts";
import { ruleCases } from "./case/all.ts";

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
