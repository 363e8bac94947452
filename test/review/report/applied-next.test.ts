import { expect, test } from "@jest/globals";
import { nextSteps } from "../../../review/report/applied-next.ts";
import type { AppliedObject, AppliedPlan } from "../../../review/report/report.ts";

const plan = (engine: AppliedPlan["engine"], end: AppliedPlan["end"] = "failed"): AppliedPlan => ({
  ...{ name: "net", engine, end, hasState: true, problems: [], errors: [], warnings: [], next: [] },
  ...{ comparedValues: 0, uncomparedValues: 0 },
});

const object = (more: Partial<AppliedObject> = {}): AppliedObject => ({
  ...{ plan: "net", address: "a", kind: "volume", planned: "create", outcome: "failed", steps: [] },
  ...{ text: "", errors: [], exists: true },
  ...more,
});

const again = (command: string) =>
  `Plan again, and review the new plan before you apply it: ${command} plan. It continues with what was not done.`;
const preview =
  "Run pulumi preview, and review it before you run pulumi up. It continues with what was not done.";

test("nothing is to do after an apply that is complete", () => {
  expect(nextSteps(plan("terraform", "succeeded"), [object({ outcome: "done" })], [])).toEqual([]);
  expect(nextSteps(plan("terraform"), [object({ outcome: "done" })], [])).toEqual([again("terraform")]);
});

test("the commands are those of the engine", () => {
  expect(nextSteps(plan("terraform"), [object()], [])).toEqual([again("terraform")]);
  expect(nextSteps(plan("opentofu"), [object()], [])).toEqual([again("tofu")]);
  expect(nextSteps(plan("pulumi"), [object()], [])).toEqual([preview]);
});

test("tainted and deposed objects are handled by the next plan", () => {
  expect(nextSteps(plan("opentofu"), [object({ isTainted: true }), object({ deposed: 1 })], [])).toEqual([
    again("tofu"),
    "The next plan replaces the tainted object; tofu untaint ADDRESS keeps an object.",
    "The next apply deletes the old objects of the replacements that are not complete.",
  ]);
});

test("a state that was not written is pushed first", () => {
  const text =
    'Failed to persist state to backend: The error shown above has prevented Terraform from writing the updated state to the configured backend. To allow for recovery, the state has been written to the file "errored.tfstate" in the current working directory.';
  const [first] = nextSteps(plan("terraform"), [object()], [text]);
  expect(first).toMatch(/Before anything else: terraform state push errored\.tfstate\.$/);
});

test("a locked state means that the apply changed nothing", () => {
  const [first, ...rest] = nextSteps(plan("terraform"), [object()], ["Error acquiring the state lock: held"]);
  expect(first).toMatch(
    /^The state is locked: this apply changed nothing\..*terraform force-unlock ID only if/,
  );
  expect(rest).toEqual([]);
  const [locked] = nextSteps(plan("pulumi"), [object()], ["the stack is currently locked by 1 lock(s)."]);
  expect(locked).toMatch(/^The stack is locked: this update changed nothing\..*pulumi cancel only if/);
});

test("after a kill, a lock may remain", () => {
  expect(nextSteps(plan("terraform", "unknown"), [object()], [])[0]).toMatch(/terraform force-unlock ID\.$/);
  expect(nextSteps(plan("pulumi", "unknown"), [object()], [])[0]).toMatch(/pulumi cancel\.$/);
});

test("pending operations of Pulumi are resolved first", () => {
  const [first, second] = nextSteps(plan("pulumi"), [object({ pending: "creating" })], []);
  expect(first).toMatch(/^Operations are pending\. First run pulumi refresh/);
  expect(second).toBe(preview);
});

test("a create of this package that got no response is found by the next run", () => {
  const last = (engine: AppliedPlan["engine"], more: Partial<AppliedObject>) =>
    nextSteps(plan(engine), [object({ exists: false, ...more })], []).at(-1);
  expect(last("terraform", {})).toMatch(/adopts it with adopt_existing\.$/);
  expect(last("pulumi", { outcome: "unknown", planned: "replace" })).toMatch(
    /adopts it with adoptExisting\.$/,
  );
  for (const more of [
    { kind: "random_pet" },
    { kind: "aws:s3:Bucket" },
    { exists: true },
    { errors: ["Creating failed. Nothing was created. Run again."] },
    { outcome: "not reached" as const },
  ])
    expect(last("terraform", more)).toBe(again("terraform"));
});
