import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { plan } from "../../../provider/engine/plan.ts";
import { resource } from "../../support/cloud.ts";
import { idOf as id, machine, problemsOf } from "../../support/problem.ts";

test.each<[string, Values, string[]]>([
  ["no group", { securityGroups: [] }, ["securityGroups must name at least one group"]],
  [
    "an id of another kind in place of a group",
    { securityGroups: [id("sg"), id("subnet")] },
    ["securityGroups.1 is the ID of a subnet, but the ID of a security group is required"],
  ],
  [
    "a group of another region",
    { securityGroups: [id("sg", "In-Hyderabad-1")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
  [
    "a group of another account",
    { securityGroups: [id("sg", "In-Bangalore-1", "9")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
  ["a group with an id of another layout", { securityGroups: ["krn:some:sg/3"] }, []],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance", { ...machine, ...change })).toEqual(expected);
});

test("security groups are unordered", () => {
  const groups = [id("sg"), `${id("sg")}4`];
  const state = {
    id: id("instance"),
    task: undefined,
    values: { ...machine, securityGroups: groups },
    unread: [],
  };
  const reversed = { ...machine, securityGroups: groups.toReversed() };
  expect(plan(resource("instance"), state, reversed).changes).toEqual([]);
});
