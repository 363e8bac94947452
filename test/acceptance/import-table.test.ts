import { expect, test } from "@jest/globals";
import { resources } from "../../resources/index.ts";
import { readTable } from "./import-table.ts";
import { unfilled } from "./unfilled.ts";

const table = await readTable();

/** Returns the attributes that imports of a kind change, by the table. */
const changedOf = (kind: string): ReadonlySet<string> =>
  new Set(
    Object.entries(table).flatMap(([name, row]) =>
      row !== "refused" && name.endsWith(`/${kind}`) ? row : [],
    ),
  );

test("the table of imports has a row of every resource", () => {
  const names = resources.map(({ name }) => `lifecycle/${name}`);
  expect(names.filter((name) => !(name in table))).toEqual([]);
});

test("an attribute that imports fill is not listed as unfilled", () => {
  const filled = Object.entries(unfilled).flatMap(([kind, attributes]) =>
    attributes
      .filter((attribute) => !changedOf(kind).has(attribute))
      .map((attribute) => `${kind} ${attribute}`),
  );
  expect(filled).toEqual([]);
});
