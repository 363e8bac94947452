import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { differencesBetween } from "../../rehearse/difference.ts";
import { resources } from "../../resources/index.ts";
import type { Change } from "../../review/model/change.ts";
import type { Plan } from "../../review/model/plan.ts";

const resource = resources.find(({ name }) => name === "volume");
const plan = (action: Change["action"], after: Values): Plan =>
  ({ changes: [{ address: "data", action, resource, type: "kcloud_volume", before: {}, after }] }) as never;

test("another action is named, and a change that only one plan has", () => {
  expect(differencesBetween(plan("update", {}), plan("replace", {}))).toEqual([
    "data: update in the given plan, replace in the rehearsed one",
  ]);
  expect(differencesBetween(plan("update", {}), plan("none", {}))).toEqual([
    "data: update in the given plan, nothing in the rehearsed one",
  ]);
});

test("another planned value is named without the value; computed, unknown and masked ones are not compared", () => {
  const given = plan("update", { name: "a", sizeGb: 20, description: "[secret]", id: "1", iops: UNKNOWN });
  const rehearsed = plan("update", { name: "a", sizeGb: 40, description: "text", id: "2", iops: 5 });
  expect(differencesBetween(given, rehearsed)).toEqual(["data: another planned sizeGb"]);
  expect(differencesBetween(given, given)).toEqual([]);
});
