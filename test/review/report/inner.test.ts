import { expect, test } from "@jest/globals";
import type { Change } from "../../../review/model/change.ts";
import { readPlan } from "../../../review/read/read.ts";
import { planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { changeFrom } from "../value-change.ts";

const script = (nth: number, line: string) =>
  Array.from({ length: nth }, (_, at) => (at === 41 ? line : `echo ${at}`)).join("\n");

test("a plan of Terraform shows the differences inside of its values", () => {
  const change = (value: string) => ({ name: "one", value });
  const text = JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: [
      {
        address: "other_thing.one",
        mode: "managed",
        type: "other_thing",
        change: { actions: ["update"], before: change(script(60, "old")), after: change(script(60, "new")) },
      },
    ],
  });
  const outputs = outputsOf(reportOf([readPlan("shop", text)]));
  for (const format of ["text", "Markdown for bitbucket"])
    expect(outputs[format]).toContain("+ line 42: new");
});

test("a changed output shows the differences inside of its value, too", () => {
  const output = {
    name: "script",
    action: "update",
    before: script(60, "old"),
    after: script(60, "new"),
  } as const;
  const outputs = outputsOf(reportOf([planOf([], { outputs: [output] })]));
  expect(outputs.text).toContain("  plan script:\n      line 40: echo 39\n");
  for (const format of ["text", "Markdown for github", "html"]) {
    expect(outputs[format]).toContain("− line 42: old");
    expect(outputs[format]).toContain("+ line 42: new");
    expect(outputs[format]).not.toContain("echo 50");
  }
});

test("a report with very many parts of values has a few of each and counts the others, in any order of the changes", () => {
  const changes = Array.from({ length: 6_000 }, (_, at) => ({
    ...changeFrom(null, script(150, `new ${at}`)),
    address: `other_thing.one[${at}]`,
  }));
  const count = (given: readonly Change[]) =>
    reportOf([planOf(given)]).changes.map(({ differences: [one] }) => [
      one?.inner?.parts.length ?? 0,
      one?.inner?.omitted ?? 0,
    ]);
  const counts = count(changes);
  expect(counts.every(([shown = 0, omitted = 0]) => shown + omitted === 150)).toBe(true);
  expect(counts.map(([shown]) => shown)).toEqual([...Array(5_000).fill(100), ...Array(1_000).fill(3)]);
  expect(count(changes.toReversed())).toEqual(counts);
});
