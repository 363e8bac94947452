import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { withDependents } from "./full-stack.ts";
import { changes, fullStack } from "./stack.ts";

/** Tests the stack itself; terraform.test.ts, pulumi.test.ts and cdktf.test.ts run it through the engines. */

const names = resources.map(({ name }) => name).sort();

test("every resource is in the stack", () => {
  expect([...new Set(fullStack.map(({ resource }) => resource))].sort()).toEqual(names);
});

test("every resource is changed in place or replaced", () => {
  const touched = Object.values(changes).flatMap(({ updated, replaced }) => [
    ...Object.keys(updated),
    ...withDependents(fullStack, Object.keys(replaced)),
  ]);
  const found = fullStack.filter(({ name }) => touched.includes(name)).map(({ resource }) => resource);
  expect([...new Set(found)].sort()).toEqual(names);
});
