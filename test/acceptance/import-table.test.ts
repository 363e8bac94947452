import { expect, test } from "@jest/globals";
import { snakeCase } from "../../provider/core/name.ts";
import { resources } from "../../resources/index.ts";
import { unfilledAttributes } from "../../tools/docs/unfilled.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { resource } from "../support/cloud.ts";
import { readTable } from "./import-table.ts";

const table = await readTable();

test("the table of imports has a row of every resource", () => {
  const names = resources.map(({ name }) => `lifecycle/${name}`);
  expect(names.filter((name) => !(name in table))).toEqual([]);
});

test("an import changes only attributes that are configured, or calculated from them", () => {
  const others = lifecycleCases.flatMap(({ resource: kind, inputs }) => {
    const calculated = Object.entries(resource(kind).fields).flatMap(([name, field]) =>
      field.kind === "field" && field.options.calculated !== undefined ? [name] : [],
    );
    const expected = [...Object.keys(inputs), ...calculated].map(snakeCase);
    const row = table[`lifecycle/${kind}`];
    const changed = row === undefined || row === "refused" ? [] : row;
    return changed.filter((name) => !expected.includes(name)).map((name) => `${kind} ${name}`);
  });
  expect(others).toEqual([]);
});

test("an import changes only attributes that the page of limits lists", () => {
  const others = Object.entries(table).flatMap(([name, row]) => {
    const kind = resources.find((each) => name.endsWith(`/${each.name}`));
    const listed = kind === undefined ? [] : unfilledAttributes(kind).map(({ path }) => path);
    return row === "refused"
      ? []
      : row.filter((path) => !listed.includes(path)).map((path) => `${name} ${path}`);
  });
  expect(others).toEqual([]);
});
