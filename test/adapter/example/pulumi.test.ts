import { join } from "node:path";
import { test } from "@jest/globals";
import { exampleUpAndDown, upAndDown } from "./pulumi.ts";

/** Stacks of several objects, and lookups and functions; `pulumi-resource.test.ts` has each resource's program. */

test("the demo's stack, by dynamic classes, goes up and down", () => upAndDown(".", 11));

test.each(["pulumi", "yaml"])("the %s program of the stack goes up and down", (adapter) =>
  upAndDown(join("examples/stack", adapter), 11),
);

test.each([
  ["storage", 6],
  ["lookup", 1],
  ["function", 1],
] as const)("the example of %s goes up and down", exampleUpAndDown);
