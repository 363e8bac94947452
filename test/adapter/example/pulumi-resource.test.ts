import { test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { applyAndDestroyExample } from "./pulumi.ts";

/** Runs the program of each resource. */

test.each(resources.map(({ name }) => name))("the example of %s is applied and destroyed", (kind) =>
  applyAndDestroyExample(kind, 1),
);
