import { test } from "@jest/globals";
import { expectFlow } from "./request-flow.ts";

/** Two requests from the plan to the report after the apply; `request-sweep.test.ts` runs the other engines and hosts. */

test(
  "Terraform on GitHub: a request that destroys data and fails half-way, and one that adds a volume",
  () => expectFlow("terraform", "github"),
  600_000,
);
