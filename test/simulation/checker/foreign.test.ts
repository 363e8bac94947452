import { expect, test } from "@jest/globals";
import type { Item } from "../item.ts";
import { equalInputs, isAskedFor } from "../rival.ts";

const bucket = (inputs: Item["inputs"]): Item => ({ address: "bucket.1", resource: "bucket", inputs });
const idOf = () => undefined;

test("a stranger's object equals an item whose later inputs ask for it", () => {
  const theirs = equalInputs(bucket({ name: "logs", versioning: false }), idOf) ?? {};
  const isAsked = (inputs: Item["inputs"]) => isAskedFor(bucket({ name: "logs", ...inputs }), theirs, idOf);
  expect(isAsked({ versioning: true })).toBe(false);
  expect(isAsked({ versioning: false })).toBe(true);
  expect(isAsked({})).toBe(true);
  // The API shows no description.
  expect(isAsked({ description: "of May" })).toBe(true);
  expect(isAsked({ tags: { tier: "gold" } })).toBe(false);
});
