import { test } from "@jest/globals";
import { expectFlow } from "./request-flow.ts";

/** Two requests from the plan to the report after the apply, by each engine on each host. */

test.each([
  ["Terraform", "GitHub"],
  ["Pulumi", "GitLab"],
  ["Terraform", "GitLab"],
  ["Pulumi", "GitHub"],
] as const)(
  "%s on %s: a request that destroys data and fails half-way, and one that adds a volume",
  (engine, host) =>
    expectFlow(engine === "Terraform" ? "terraform" : "pulumi", host === "GitHub" ? "github" : "gitlab"),
  600_000,
);
