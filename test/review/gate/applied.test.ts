import { expect, test } from "@jest/globals";
import { decideApplied } from "../../../review/gate/applied.ts";
import { readApplyState } from "../../../review/read/apply-state.ts";
import { appliedOf } from "../../../review/report/applied.ts";
import type { Report } from "../../../review/report/report.ts";
import { appliedReport, logOf, recorded, reportOf } from "../applied/fixture.ts";

const verdictOf = (...args: Parameters<typeof appliedReport>) => appliedReport(...args).verdict;

test.each([
  ["terraform-done", 0, "Applied: 10 done."],
  ["pulumi-done", 0, "Applied: 8 done."],
  ["terraform-failed", 7, "Applied: 6 done, 3 failed, 1 not reached."],
  ["terraform-interrupted", 7, "Applied: 7 done, 2 failed, 1 not reached."],
  ["terraform-killed", 8, "Applied: 7 done, 3 unknown."],
  ["pulumi-half-replaced", 7, "Applied: 0 done, 1 failed."],
  ["pulumi-other-values", 8, "Applied: 0 done, 3 other than planned."],
])("%s has the exit code %i", (scene, code, line) => {
  expect(verdictOf(scene)).toMatchObject({ code, line });
});

test("an apply that is complete has no reasons but those of values that cannot be compared", () => {
  expect(verdictOf("terraform-done").reasons).toEqual([]);
  expect(verdictOf("pulumi-done").reasons).toEqual([
    "Not compared, since sensitive or unknown: 5 planned values.",
  ]);
});

test("the reasons name what is not done, what exists, and the next command", () => {
  expect(verdictOf("terraform-half-replaced").reasons).toEqual([
    "kcloud_volume.shape: failed. The old object was deleted. The create of the new object failed. The state does not have the object.",
    "Next: Plan again, and review the new plan before you apply it: terraform plan. It continues with what was not done.",
  ]);
});

test("a failure without a state cannot be known: 8 outranks 7", () => {
  const verdict = verdictOf("terraform-failed", { state: null });
  expect(verdict.code).toBe(8);
  expect(verdict.reasons[0]).toBe("net has no state after the apply: it cannot be known what exists now.");
  // Everything that engines log is done.
  const done = appliedReport("terraform-done", { state: null });
  expect([done.verdict.code, done.applied?.plans[0]?.hasState]).toEqual([0, false]);
});

test.each([
  ["no log", { log: "" }, undefined],
  ["a wrong exit code", {}, 1],
  ["a log of another engine", { log: recorded("opentofu-done", "log.jsonl") }, undefined],
])("%s is never a complete apply", (_, texts, exitCode) => {
  expect(verdictOf("terraform-done", texts, exitCode).code).toBe(8);
});

test("a cut log is never a complete apply", () => {
  const lines = recorded("terraform-done", "log.jsonl").trimEnd().split("\n");
  // Without its two last lines, every step is there.
  for (const count of [2, 4, 10, lines.length])
    expect(verdictOf("terraform-done", { log: lines.slice(0, -count).join("\n") }).code).toBe(8);
});

test("an apply that fails after its last step is incomplete", () => {
  const error =
    '{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"Failed to persist state"}}';
  const lines = recorded("terraform-done", "log.jsonl")
    .split("\n")
    .filter((line) => !/"type":"(change_summary|outputs)"/.test(line));
  const verdict = verdictOf("terraform-done", { log: [...lines, error].join("\n") });
  expect(verdict).toMatchObject({ code: 7, line: "Applied: 10 done." });
  expect(verdict.reasons[0]).toBe("Error of net: Failed to persist state");
});

test("of many objects, the reasons name ten and count the others", () => {
  const report = reportOf({ net: recorded("terraform-done", "plan.json") });
  const many = {
    ...report,
    changes: report.changes.flatMap((change) => [change, { ...change, address: `${change.address}[1]` }]),
  };
  const applied = appliedOf(many, { applies: new Map(), exitCode: undefined });
  expect(decideApplied(many, applied).verdict.reasons.slice(0, 12)).toContain(
    "9 more objects are not done as planned.",
  );
});

test("what the review did not pass is never a complete apply", () => {
  const report = reportOf({ net: recorded("terraform-done", "plan.json") });
  const apply = {
    log: logOf(recorded("terraform-done", "log.jsonl")),
    state: readApplyState(recorded("terraform-done", "state.json")),
  };
  const applies = new Map([["net", apply]]);
  const decided = (more: Partial<Report>) => {
    const given = { ...report, ...more };
    return decideApplied(given, appliedOf(given, { applies, exitCode: 0 })).verdict;
  };
  expect(decided({}).code).toBe(0);
  for (const code of [3, 4, 5] as const)
    expect(decided({ verdict: { ...report.verdict, code, line: "Blocked." } })).toMatchObject({
      code: 8,
      reasons: ["The review of what was applied did not pass: Blocked."],
    });
  expect(decided({ plans: report.plans.map((plan) => ({ ...plan, purpose: "drift" })) }).code).toBe(8);
});

test("changed outputs need a log, too", () => {
  const {
    changes: _,
    invocations: __,
    ...report
  } = reportOf({ net: recorded("terraform-done", "plan.json") });
  const given = { ...report, changes: [], invocations: [] };
  const applied = (more: Partial<Report>) =>
    decideApplied(
      { ...given, ...more },
      appliedOf({ ...given, ...more }, { applies: new Map(), exitCode: 0 }),
    ).verdict.code;
  expect(given.outputs).not.toEqual([]);
  expect(applied({})).toBe(8);
  expect(applied({ outputs: [] })).toBe(0);
});

test("other values than planned in a state of Terraform are other than planned", () => {
  const state = recorded("terraform-done", "state.json").replace(/"size_gb": ?\d+/g, '"size_gb":999');
  expect(verdictOf("terraform-done", { state }).code).toBe(8);
});

test("an error of an object that is done is an error of the plan", () => {
  const lines = recorded("terraform-done", "log.jsonl").trimEnd().split("\n");
  const error = JSON.stringify({
    ...{ "@level": "error", type: "diagnostic" },
    diagnostic: { severity: "error", summary: "Postcondition failed", address: "terraform_data.note" },
  });
  const verdict = verdictOf("terraform-done", { log: [...lines, error].join("\n") });
  expect(verdict.code).toBe(7);
  expect(verdict.reasons).toContain("Error of net: terraform_data.note: Postcondition failed");
});

test("a line that is cut, and an error that is no JSON, are no complete apply", () => {
  const log = recorded("terraform-done", "log.jsonl");
  expect(verdictOf("terraform-done", { log: `${log}{"@level":"err` })).toMatchObject({
    code: 8,
    reasons: [expect.stringContaining("ends in the middle of a line"), expect.any(String)],
  });
  const failed = verdictOf("terraform-done", { log: `${log}Error: Failed to persist state\n` });
  expect(failed).toMatchObject({ code: 7 });
  expect(failed.reasons[0]).toBe("Error of net: Failed to persist state");
});

test("several plans have their names in the reasons", () => {
  const plan = recorded("terraform-half-replaced", "plan.json");
  const report = reportOf({ a: plan, b: plan });
  const log = logOf(recorded("terraform-half-replaced", "log.jsonl"));
  const applies = new Map([["a", { log, state: undefined }]]);
  const { verdict, applied } = decideApplied(report, appliedOf(report, { applies, exitCode: 1 }));
  expect(applied?.plans.map(({ name, end }) => [name, end])).toEqual([
    ["a", "failed"],
    ["b", "unknown"],
  ]);
  expect(verdict.reasons).toEqual(
    expect.arrayContaining([
      "b has no log of an apply: it cannot be known what was done.",
      "a has no state after the apply: it cannot be known what exists now.",
      expect.stringMatching(/^a: kcloud_volume\.shape: failed\./),
      expect.stringMatching(/^Next for a: Plan again/),
    ]),
  );
});
