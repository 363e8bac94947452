import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { at, describeReview, file, fixtures, plan, planWith } from "./world.ts";

describeReview("%s", (_, run, review) => {
  test("0: no finding at or above the threshold, with any changes", async () => {
    const ran = await review("--in", plan, "--fail-on", "none");
    expect([ran.code, ran.report?.verdict.code, ran.stderr]).toEqual([0, 0, ""]);
  });

  test("0: no changes, with --detailed-exitcode too", async () => {
    const without = { prior_state: {}, planned_values: {}, configuration: {}, output_changes: {} };
    const empty = planWith({ ...without, resource_changes: [], resource_drift: [] });
    expect((await review("--in", empty, "--detailed-exitcode")).code).toBe(0);
  });

  test("2: changes pass, with --detailed-exitcode only", async () => {
    const ran = await review("--in", plan, "--fail-on", "none", "--detailed-exitcode");
    expect([ran.code, ran.report?.verdict.code]).toEqual([2, 0]);
  });

  test("3: a finding blocks, and the report is written; --detailed-exitcode changes nothing", async () => {
    for (const more of [[], ["--detailed-exitcode"]]) {
      const ran = await review("--in", plan, ...more);
      expect([ran.code, ran.report?.verdict.code]).toEqual([3, 3]);
      expect(ran.stderr).toMatch(/^kcloud review: 1 plan .*\n {2}\d+ findings of severity critical\n$/);
    }
  });

  test("3: a report that is rendered again keeps its verdict", async () => {
    await review("--in", plan);
    const ran = await run(["--in", at("report.json"), "--out", "md"]);
    expect([ran.code, ran.stdout.split(":")[0]]).toEqual([3, "## 🛑 Blocked"]);
  });

  test("4 takes precedence over 3", async () => {
    expect((await review("--in", planWith({ errored: true }))).code).toBe(4);
  });

  test("2: a plan with only an action has changes", async () => {
    const actions = JSON.parse(readFileSync(join(fixtures, "terraform-actions.json"), "utf8"));
    const without = { prior_state: {}, planned_values: {}, configuration: {} };
    const only = file("only.json", { ...actions, ...without, resource_changes: [] });
    expect((await review("--in", only, "--fail-on", "none", "--detailed-exitcode")).code).toBe(2);
  });
});
