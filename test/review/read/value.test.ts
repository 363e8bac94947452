import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { approvalOf } from "../../../review/report/digest.ts";
import { reportOf } from "../render/outputs.ts";

// biome-ignore lint/suspicious/noExplicitAny: the plans are changed in ways that no type allows.
type Any = any;

/** Returns a recorded plan after a change of its JSON. */
function planned(change: (json: Any) => void) {
  const json = JSON.parse(readFileSync(new URL("../fixture/terraform-1.16.0.json", import.meta.url), "utf8"));
  change(json);
  return readPlan("terraform-1.16.0", JSON.stringify(json));
}

test("an attribute outside the definitions is shown, and part of the digest", () => {
  const set = (value: boolean) => (json: Any) => {
    const { before, after } = json.resource_changes.find(
      ({ change }: Any) => change.actions[0] === "update",
    ).change;
    before.later_flag = true;
    after.later_flag = value;
  };
  const { changes } = reportOf([planned(set(false))]);
  expect(changes.flatMap(({ differences }) => differences)).toContainEqual(
    expect.objectContaining({ name: "later_flag", after: { kind: "value", text: "false" } }),
  );
  const digest = (value: boolean) => approvalOf([planned(set(value))], undefined).digest;
  expect(digest(false)).not.toBe(digest(true));
});

test("an entry of a map keeps its key", () => {
  const { changes } = reportOf([
    planned((json) => {
      for (const { change } of json.resource_changes)
        if (change.after?.metadata)
          Object.assign(change.after.metadata, { costCenter: "1", cost_center: "2" });
    }),
  ]);
  const names = changes.flatMap(({ differences }) => differences.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(["metadata.costCenter", "metadata.cost_center"]));
});
