import { expect, test } from "@jest/globals";
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

test("the names of planted defects are unique", () => {
  const names = defects.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
