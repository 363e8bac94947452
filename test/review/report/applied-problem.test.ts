import { expect, test } from "@jest/globals";
import { decideApplied } from "../../../review/gate/applied.ts";
import { readApplyState } from "../../../review/read/apply-state.ts";
import { appliedOf } from "../../../review/report/applied.ts";
import { appliedReport, logOf, recorded, reportOf } from "../applied/fixture.ts";

const log = (scene: string): string => recorded(scene, "log.jsonl");

test("a log or a state of another engine, several logs, and a wrong exit code are problems", () => {
  const problems = (...args: Parameters<typeof appliedReport>) =>
    appliedReport(...args).applied?.plans[0]?.problems;
  expect(problems("terraform-done", { log: log("opentofu-done") })).toEqual([
    "The log of net is of OpenTofu, and the plan is not.",
  ]);
  expect(problems("terraform-done", { state: recorded("pulumi-done", "state.json") })).toEqual([
    "The state of net is of another engine than the plan.",
  ]);
  expect(problems("terraform-done", { log: `${log("terraform-done")}\n${log("terraform-done")}` })).toEqual([
    "The log of net holds 2 logs.",
  ]);
  expect(problems("terraform-done", {}, 1)).toEqual([
    "The log of net shows that the apply succeeded, and the exit code of the engine is 1.",
  ]);
  expect(problems("terraform-failed", {}, 0)).toEqual([
    "The log of net shows that the apply failed, and the exit code of the engine is 0.",
  ]);
  expect([problems("terraform-done", {}, 0), problems("terraform-failed", {}, 1)]).toEqual([[], []]);
});

test.each([
  ["another lineage", { lineage: "other" }, "is another one: its lineage is other"],
  ["the serial of the plan", { serial: 3 }, "is older than the apply: its serial is 3"],
])("a state file with %s is that of another apply", (_, more, text) => {
  const file = JSON.parse(recorded("terraform-done", "raw.json"));
  const report = reportOf({ net: recorded("terraform-done", "plan.json") });
  const given = {
    ...report,
    plans: report.plans.map((plan) => ({
      ...plan,
      prior: { ...plan.prior, serial: 3, lineage: file.lineage },
    })),
  };
  const log = logOf(recorded("terraform-done", "log.jsonl"));
  const verdict = (content: object) => {
    const applies = new Map([["net", { log, state: readApplyState(JSON.stringify(content)) }]]);
    return decideApplied(given, appliedOf(given, { applies, exitCode: undefined })).verdict;
  };
  expect(verdict(file)).toMatchObject({ code: 0, reasons: [] });
  expect(verdict({ ...file, ...more })).toMatchObject({
    code: 8,
    reasons: [expect.stringContaining(text), expect.any(String)],
  });
});
