import { test } from "@jest/globals";
import { expectFlow } from "./request-flow.ts";

/** Two requests from the plan to the report after the apply, with the engines and hosts that `request.test.ts` leaves out. */

test(
  "Terraform on GitLab: a request that destroys data and fails half-way, and one that adds a volume",
  () => expectFlow("terraform", "gitlab"),
  600_000,
);

test(
  "Pulumi on GitLab: a request that destroys data and fails half-way, and one that adds a volume",
  () => expectFlow("pulumi", "gitlab"),
  600_000,
);

test(
  "Pulumi on GitHub: a request that destroys data and fails half-way, and one that adds a volume",
  () => expectFlow("pulumi", "github"),
  600_000,
);
