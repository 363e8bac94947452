import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { expect, test } from "@jest/globals";
import { jobsOf } from "../../support/pipeline.ts";

/** Security properties of the workflows in examples/review. */

const text = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../../examples/review", name), "utf8");

const workflows = ["github/pull-request.yml", "github/apply.yml", "github/action/action.yml"];
const pullRequest = text("github/pull-request.yml");

test("the workflows are valid by the schema of their host", () => {
  for (const name of ["github/pull-request.yml", "github/apply.yml"]) {
    const { context } = parseWorkflow({ name, content: text(name) }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  }
});

test("every action is pinned by commit, or is an action of the repository", () => {
  const used = workflows.flatMap((name) =>
    [...text(name).matchAll(/uses: (.*)/g)].map(([, action = ""]) => action),
  );
  expect(used.length).toBeGreaterThan(9);
  expect(used.filter((action) => !/^(\.\/\S+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(action))).toEqual(
    [],
  );
});

test("no workflow runs code of a pull request with the permissions of the base repository", () => {
  for (const name of workflows)
    expect(text(name).replace(/^#.*$/gm, "")).not.toMatch(/pull_request_target|workflow_run/);
  expect(pullRequest).toMatch(/^on: \[pull_request, merge_group\]$/m);
  for (const name of ["github/pull-request.yml", "github/apply.yml"])
    expect(text(name)).toMatch(/^permissions: \{\}$/m);
});

test("the plan job cannot write, the publish job has no secret, and the fork job has neither", () => {
  const { plan = "", publish = "", fork = "" } = jobsOf(pullRequest);
  expect(Object.keys(jobsOf(pullRequest))).toEqual(["plan", "publish", "fork"]);
  expect(plan).toMatch(/secrets\./);
  expect(plan).not.toMatch(/: write/);
  expect(plan).not.toMatch(/GITHUB_TOKEN|github\.token/);
  expect(plan).toMatch(
    /if: github\.event_name == 'merge_group' \|\| github\.event\.pull_request\.head\.repo\.full_name == github\.repository\n/,
  );
  expect(publish).not.toMatch(/secrets\.|path: head|review\.sh/);
  expect(fork).not.toMatch(/secrets\.|uses:|: write/);
  expect(fork).toMatch(/exit 4/);
});

test("the plan job uploads only the report", () => {
  const { plan = "" } = jobsOf(pullRequest);
  const uploads = [...plan.matchAll(/upload-artifact[\s\S]*?path: (\S+.*)/g)].map(([, path]) => path);
  expect(uploads).toEqual(["${{ runner.temp }}/review/report.json"]);
});

test("no script of a step contains an expression, such as a value of the pull request", () => {
  const scripts = [
    ...workflows
      .map(text)
      .join("\n")
      .matchAll(/run: (\|[\s\S]*?(?=\n {0,8}\S)|.*)/g),
  ].map(([, run = ""]) => run);
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((run) => run.includes("${{"))).toEqual([]);
});

test("checkouts keep no credentials", () => {
  for (const name of ["github/pull-request.yml", "github/apply.yml"]) {
    const checkouts = text(name).split("uses: actions/checkout@").slice(1);
    expect(checkouts.length).toBeGreaterThan(0);
    for (const step of checkouts) expect(step.split("- uses:")[0]).toMatch(/persist-credentials: false/);
  }
});

test("the plan job continues after the verdicts 3 and 4, and fails after an error", () => {
  for (const name of ["github/pull-request.yml", "gitlab-ci.yml"]) {
    const [, tail = ""] = /review\.sh"? review "\$BASE" (\|\|.*)$/m.exec(text(name)) ?? [];
    const passed = [0, 1, 2, 3, 4, 5].filter(
      (code) => spawnSync("bash", ["-e", "-c", `(exit ${code}) ${tail}`]).status === 0,
    );
    expect([tail, passed]).toEqual([expect.stringContaining("||"), [0, 3, 4]]);
  }
});

test("a merge request is reviewed with the policy at the tip of its target branch", () => {
  expect(text("gitlab-ci.yml")).not.toContain("DIFF_BASE_SHA");
  const [line = ""] =
    /if \[ -n "\$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" \].*/.exec(text("gitlab-ci.yml")) ?? [];
  const baseAfter = (git: string) =>
    spawnSync("sh", ["-e", "-c", `git() { ${git}; }\n${line}\necho "$BASE"`], {
      env: { ...process.env, BASE: "head", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" },
    }).stdout.toString();
  expect(baseAfter('[ "$1" = fetch ] || echo tip')).toBe("tip\n");
  // A failed fetch ends the job; otherwise the policy of the merge request would apply.
  expect(baseAfter('[ "$1" != fetch ]')).toBe("");
});

test("the step summary uses the budget that GitHub allows", () => {
  expect(text("github/action/action.yml")).toMatch(/--budget github-summary .*--out "md:/);
});
