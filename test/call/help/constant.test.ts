import { expect, test } from "@jest/globals";
import { constants } from "../../../call/help/constant.ts";
import { allOperations } from "../../../operation/operations.ts";

test("every operation has a help", async () => {
  const texts = await constants();
  expect(Object.keys(texts)).toEqual(allOperations().map(({ name }) => name));
  for (const [name, text] of Object.entries(texts))
    expect(text).toMatch(new RegExp(`^Usage: kcloud call ${name} `));
});
