import { expect, test } from "@jest/globals";
import ts from "typescript";
import { nodes } from "../repository/repository.ts";
import { defects } from "./defect.ts";
import { placesOf, testsOf } from "./plant.ts";

test.each(defects)(
  "the text that the planted defect $name replaces occurs once in the sources",
  ({ find }) => {
    expect(placesOf(find)).toEqual([expect.any(String)]);
  },
);

test.each(
  defects.flatMap(({ name, foundBy }) => ("test" in foundBy ? [{ name, sentence: foundBy.test }] : [])),
)("the test that finds the planted defect $name exists once", ({ sentence }) => {
  expect(testsOf(sentence)).toEqual([expect.any(String)]);
});

/** Returns the names in an incomplete piece of code, without those of properties and types in it. */
function namesIn(code: string): readonly string[] {
  const file = ts.createSourceFile("put.ts", code, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    const isProperty =
      parent !== undefined &&
      ((ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node) ||
        ts.isLabeledStatement(parent));
    if (
      ts.isIdentifier(node) &&
      node.text !== "" &&
      !isProperty &&
      ts.identifierToKeywordKind(node) === undefined
    )
      names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

// A name that nothing declares would make any test fail, so that the defect itself would not be found.
test.each(defects)(
  "the replacement of the planted defect $name uses only names of its source",
  ({ find, put }) => {
    const known = new Set(
      placesOf(find)
        .flatMap((file) => nodes(file).filter(ts.isIdentifier))
        .map(({ text }) => text),
    );
    const isKnown = (name: string) => known.has(name) || name in globalThis || put.includes(`(${name}) =>`);
    expect(namesIn(put).filter((name) => !isKnown(name))).toEqual([]);
  },
);

test("the names of planted defects are unique", () => {
  const names = defects.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
