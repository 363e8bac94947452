import { expect, test } from "@jest/globals";
import { isIdentified } from "../../../account/state/recorded.ts";

test.each([
  [{ id: "krn:net", task: undefined }, true],
  [{ id: undefined, task: "task-1" }, true],
  [{ id: "", task: undefined }, false],
  [{ id: undefined, task: undefined }, false],
])("a state with %j is identified: %s", (ids, expected) => {
  expect(isIdentified({ ...ids, values: {}, unread: [] })).toBe(expected);
});
