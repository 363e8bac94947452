import fc from "fast-check";
import type { Value } from "../../provider/core/value.ts";
import type { Change } from "../../review/model/change.ts";
import { planOf } from "./change-of.ts";
import { outputsOf, reportOf } from "./render/outputs.ts";

/** Returns a change of an object of another provider from one value to the other. */
export const changeFrom = (before: Value, after: Value): Change => ({
  plan: "plan",
  engine: "terraform",
  address: "other_thing.one",
  type: "other_thing",
  resource: undefined,
  action: "update",
  name: undefined,
  id: "thing-id",
  before: { value: before },
  after: { value: after },
  forcedBy: [],
  dependsOn: [],
  parents: [],
});

/** Returns the lines that text shows for a changed value. */
export const linesOf = (before: Value, after: Value): string[] => {
  const { text = "" } = outputsOf(reportOf([planOf([changeFrom(before, after)])]));
  const [, section = ""] = text.split("Updated (1)\n");
  return (
    section
      .split("\n\n")[0]
      ?.split("\n")
      .slice(1)
      .map((line) => line.slice(6)) ?? []
  );
};

export const line = fc.constantFrom("", "a", "b", "  c", "d ", "\te", "x".repeat(300), `${"x".repeat(299)}y`);
