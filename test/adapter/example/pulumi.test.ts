import { join } from "node:path";
import { test } from "@jest/globals";
import { applyAndDestroy, applyAndDestroyExample } from "./pulumi.ts";

/** Runs the stacks of several objects, the scenarios on the pages of resources, lookups and functions; `pulumi-resource.test.ts` runs each resource's program. */

test("the demo stack with dynamic classes is applied and destroyed", () => applyAndDestroy(".", 11));

test.each(["pulumi", "yaml"])("the %s program of the stack is applied and destroyed", (adapter) =>
  applyAndDestroy(join("examples/stack", adapter), 11),
);

test.each([
  ["storage", 6],
  ["lookup", 1],
  ["function", 1],
  ["instance/address", 6],
  ["instance/existing-volume", 6],
  ["instance/fleet", 7],
  ["volume/data", 9],
] as const)("the example of %s is applied and destroyed", applyAndDestroyExample);
