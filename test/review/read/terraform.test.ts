import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";

/** Plans of the real Terraform, recorded by `test/review/record.ts`. */

const fixture = (name: string) =>
  readPlan(name, readFileSync(new URL(`../fixture/${name}.json`, import.meta.url), "utf8"));

test("an action that a change triggers is read as an invocation, a resource of another provider as a change", () => {
  const plan = fixture("terraform-actions");
  expect(plan).toMatchObject({ engine: "terraform", purpose: "change", gaps: [], unknownParts: [] });
  expect(plan.invocations).toEqual([
    {
      address: "action.kcloud_instance_restart.web",
      type: "kcloud_instance_restart",
      triggeredBy: "terraform_data.release",
    },
  ]);
  expect(plan.changes.map(({ address, action, resource }) => [address, action, resource?.name])).toEqual([
    ["kcloud_ssh_key.one", "none", "ssh-key"],
    ["terraform_data.release", "create", undefined],
  ]);
});
