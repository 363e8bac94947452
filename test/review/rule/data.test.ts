import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { dataRules, lossKindOf } from "../../../review/rule/data.ts";
import { testRules } from "./check.ts";

testRules(dataRules);

test("every kind that can be interrupted and holds data has a rule about its disks", () => {
  const kinds = resources.filter(
    ({ holdsData, interrupts }) => holdsData !== undefined && interrupts === true,
  );
  for (const resource of kinds) expect(lossKindOf(resource)).not.toBe("other");
});
