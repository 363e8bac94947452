import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

// biome-ignore lint/suspicious/noExplicitAny: the plans are changed in ways that no type allows.
type Any = any;

const changed = (name: string, change: (json: Any) => void): string => {
  const json = JSON.parse(readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8"));
  change(json);
  return JSON.stringify(json);
};

const plan = (change: (json: Any) => void): string => changed("terraform-1.16.0.json", change);

const preview = (change: (json: Any) => void): string => changed("pulumi.json", change);

test.each<readonly [string, string, RegExp]>([
  [
    "changes that are not a list",
    plan((json) => {
      json.resource_changes = { ...json.resource_changes };
    }),
    /^resource_changes is not a list of objects$/,
  ],
  [
    "changes that are not objects",
    plan((json) => {
      json.resource_changes = ["kcloud_volume.orders", null];
    }),
    /^resource_changes is not a list of objects$/,
  ],
  [
    "drift that is not a list",
    plan((json) => {
      json.resource_drift = "none";
    }),
    /^resource_drift is not a list of objects$/,
  ],
  [
    "steps that are not a list",
    preview((json) => {
      json.steps = { ...json.steps };
    }),
    /steps is not a list of objects/,
  ],
])("%s cannot be reviewed: exit 4", (_, content, gap) => {
  const { verdict, plans } = reportOf([readPlan("shop", content)]);
  expect([verdict.code, plans[0]?.gaps.join("; ")]).toEqual([4, expect.stringMatching(gap)]);
});
