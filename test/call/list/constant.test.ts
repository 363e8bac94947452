import { expect, test } from "@jest/globals";
import { constants } from "../../../call/list/constant.ts";
import { possibleEffect } from "../../../operation/destruction/destruction.ts";
import { allOperations } from "../../../operation/operations.ts";

test("the list has every operation of the table, with its effect", async () => {
  const rows = await constants();
  expect(rows.map(({ name, effect }) => [name, effect])).toEqual(
    allOperations().map((row) => [row.name, possibleEffect(row)]),
  );
  expect(rows.filter(({ isBilled }) => isBilled).map(({ name }) => name)).toContain("translate");
});
