import { expect, test } from "@jest/globals";
import { conversions } from "../../../account/seed/kind.ts";
import { resources } from "../../../resources/index.ts";

test("the objects of every definition become rows of an inventory", () => {
  expect(Object.keys(conversions).toSorted()).toEqual(resources.map(({ name }) => name).toSorted());
});
