import { join } from "node:path";
import { test } from "@jest/globals";
import { exampleUpAndDown, upAndDown } from "./pulumi.ts";

/** Runs the stacks of several objects, and lookups and functions; `pulumi-resource.test.ts` runs each resource's program. */

test("the demo stack with dynamic classes is applied and destroyed", () => upAndDown(".", 11));

test.each(["pulumi", "yaml"])("the %s program of the stack is applied and destroyed", (adapter) =>
  upAndDown(join("examples/stack", adapter), 11),
);

test.each([
  ["storage", 6],
  ["lookup", 1],
  ["function", 1],
] as const)("the example of %s is applied and destroyed", exampleUpAndDown);
