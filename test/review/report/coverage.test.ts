import { expect, test } from "@jest/globals";
import { approvalOf } from "../../../review/report/digest.ts";
import { changeOf, planOf } from "../change-of.ts";

const vpc = { name: "net" };

test("write-only values are named as not covered", () => {
  const change = changeOf("vpc", undefined, vpc, { writeOnly: ["user_data_wo"], originsOf: () => [] });
  expect(approvalOf([planOf([change, change])], undefined).uncovered).toEqual([
    "plan: vpc user_data_wo of 2 objects, which no plan holds",
  ]);
});
