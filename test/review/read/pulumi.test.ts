import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { type Any, changed, text } from "./changed.ts";

/** Previews of the real Pulumi, recorded by `test/review/record.ts`, and variants with other steps. */

const stepOf = (json: Any, op: string, kind: string): Any =>
  json.steps.find((step: Any) => step.op === op && step.urn.includes(`:${kind}::`));

test("an event log contains the drift that a refresh found, with changes and without", () => {
  const found = (name: string) => {
    const { purpose, gaps, drift } = readPlan("shop", text(name));
    const changed = drift
      .filter(({ action }) => action !== "none")
      .map(({ action, name: key }) => [action, key]);
    return [purpose, gaps, changed];
  };
  expect(found("pulumi-refresh-events.jsonl")).toEqual(["drift", [], [["delete", "two"]]]);
  expect(found("pulumi-refresh.json")).toEqual(["drift", [], [["delete", "two"]]]);
  expect(found("pulumi-destroy-events.jsonl")).toEqual(["change", [], [["delete", "two"]]]);
});

test.each([
  ['metadata["a\\d.x"]', ["metadata", "a\\d.x"]],
  ['metadata["a\\"b.c"][0]', ["metadata", 'a"b.c', 0]],
])("the path %s is parsed, even if its key is not JSON", (path, steps) => {
  const plan = changed((json) => {
    stepOf(json, "update", "Volume").detailedDiff = { [path]: { kind: "update" } };
  });
  const [update] = plan.changes.filter(({ action, type }) => action === "update" && /Volume/.test(type));
  expect(update?.changedPaths).toContainEqual(steps);
});
