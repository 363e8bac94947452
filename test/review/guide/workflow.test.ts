import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { describe, expect, test } from "@jest/globals";
import { type Job, type Workflow, workflowOf } from "../../support/ci/github.ts";
import { environmentOf, type GitLabJob, gitlabPipelineOf } from "../../support/ci/gitlab.ts";

/** Properties of the workflows in examples/review: permissions, credentials, and the order of jobs. */

const text = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../../examples/review", name), "utf8");

const names = ["github/pull-request.yml", "github/apply.yml"] as const;
const texts = [...names, "github/action/action.yml"].map(text);
const [review, apply] = names.map((name) => workflowOf(text(name))) as [Workflow, Workflow];
const pipeline = gitlabPipelineOf(text("gitlab-ci.yml"));

const jsonOf = (part: unknown): string => JSON.stringify(part);

/** Returns a job, which must exist. */
function jobOf<T>(jobs: Readonly<Record<string, T>>, name: string): T {
  const job = jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
}

/** Returns the names of secrets that a job reads. */
const secretsOf = (job: Job): string[] => [...new Set(jsonOf(job).match(/(?<=secrets\.)\w+/g))].toSorted();

describe("on GitHub", () => {
  const jobs: readonly (readonly [string, Job])[] = [review, apply].flatMap((workflow) =>
    Object.entries(workflow.jobs),
  );

  test("the workflows are valid by the schema of their host", () => {
    for (const name of names) {
      const { context } = parseWorkflow({ name, content: text(name) }, new NoOperationTraceWriter());
      expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    }
  });

  test("every action is pinned by commit, or is an action of the repository", () => {
    const used = texts.flatMap((one) => [...one.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action));
    expect(used.length).toBeGreaterThan(15);
    expect(
      used.filter((action) => !/^(\.\/\S+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(action)),
    ).toEqual([]);
  });

  test("no workflow runs code of a pull request with the permissions of the base repository", () => {
    for (const one of texts)
      expect(one.replace(/^#.*$/gm, "")).not.toMatch(/pull_request_target|workflow_run/);
    expect(text(names[0])).toMatch(/^on: \[pull_request, merge_group\]$/m);
    for (const { permissions } of [review, apply]) expect(permissions).toEqual({});
  });

  test("no job has both credentials and a permission to write", () => {
    const table = jobs.map(([name, job]) => {
      const permissions = Object.entries(job.permissions ?? {}).filter(([, access]) => access === "write");
      return [name, secretsOf(job), permissions.map(([permission]) => permission), job.environment];
    });
    const post = ["checks", "issues", "pull-requests"];
    expect(table).toEqual([
      ["plan", ["READ_ONLY_API_KEY", "REVIEW_KEY"], [], undefined],
      ["publish", [], ["security-events", ...post], undefined],
      ["fork", [], [], undefined],
      ["apply", ["API_KEY", "REVIEW_KEY"], [], "production"],
      ["report", [], post, undefined],
    ]);
  });

  test("only the steps that post have the token", () => {
    const withToken = jobs.flatMap(([name, { steps }]) =>
      steps
        .filter((step) => /github\.token|GITHUB_TOKEN/.test(jsonOf(step)))
        .map((step) => [name, step.name, step.run]),
    );
    expect(withToken).toEqual([
      ["publish", "Post", expect.stringContaining("kcloud review post")],
      ["report", "Post", expect.stringContaining("kcloud review post")],
    ]);
  });

  test("jobs with the token run no code of a pull request, and no script of the repository", () => {
    for (const job of [jobOf(review.jobs, "publish"), jobOf(apply.jobs, "report")])
      expect(jsonOf(job)).not.toMatch(/path":"head|review\.sh/);
  });

  test("a pull request of a fork is not planned", () => {
    const isOwn = "github.event.pull_request.head.repo.full_name == github.repository";
    expect(jobOf(review.jobs, "plan").if).toBe(`github.event_name == 'merge_group' || ${isOwn}`);
    const { steps, permissions } = jobOf(review.jobs, "fork");
    expect([permissions, steps.length]).toEqual([{}, 1]);
    expect(steps[0]?.run).toMatch(/exit 4/);
  });

  test("plans, states and logs do not leave their jobs", () => {
    const uploads = jobs.flatMap(([name, { steps }]) =>
      steps
        .filter(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"))
        .map((step) => [name, step.with?.path]),
    );
    expect(uploads).toEqual([
      ["plan", "${{ runner.temp }}/review/report.json"],
      ["publish", "${{ runner.temp }}/published/report.html"],
      ["apply", "${{ runner.temp }}/review/applied.json"],
    ]);
  });

  test("no script of a step contains an expression, such as a value of the pull request", () => {
    const scripts = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.length).toBeGreaterThan(10);
    expect(scripts.filter((run) => run.includes("${{"))).toEqual([]);
    expect(text("github/action/action.yml").split("run: |")[1]).not.toContain("${{");
  });

  test("checkouts keep no credentials", () => {
    const checkouts = jobs.flatMap(([, { steps }]) =>
      steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")),
    );
    expect(checkouts).toHaveLength(5);
    for (const step of checkouts) expect(step.with?.["persist-credentials"]).toBe(false);
  });

  test("both lists of stacks are equal, and each stack has artifacts of its own", () => {
    const { plan, publish } = review.jobs;
    expect(plan?.strategy?.matrix).toEqual(publish?.strategy?.matrix);
    expect(text(names[1])).toContain(`options: [${plan?.strategy?.matrix.stack?.join(", ")}]`);
    const artifacts = [plan, publish].flatMap((job) => jsonOf(job).match(/(?<="name":")review-\w+-[^"]*/g));
    expect(artifacts).toEqual(
      ["review-report-", "review-report-", "review-page-"].map((name) => `${name}\${{ matrix.stack }}`),
    );
  });

  test("jobs that post run one after the other and to their end, and so do applies of a stack", () => {
    const { plan, publish } = review.jobs;
    const request = "${{ github.event.pull_request.number || github.ref }}-${{ matrix.stack }}";
    expect([plan?.concurrency, publish?.concurrency, apply.concurrency]).toEqual([
      { group: `review-plan-${request}`, "cancel-in-progress": true },
      { group: `review-post-${request}`, "cancel-in-progress": false },
      { group: "apply-${{ inputs.stack }}", "cancel-in-progress": false },
    ]);
    expect(jsonOf(publish)).toContain('"max-parallel":1');
  });

  test("the step summary uses the budget that GitHub allows", () => {
    expect(text("github/action/action.yml")).toMatch(/--budget github-summary .*--out "md:/);
  });
});

describe("on GitLab", () => {
  const { "review-plan": plan, "review-publish": publish, apply, "apply-report": report } = pipeline.jobs;
  const jobs: readonly GitLabJob[] = Object.values(pipeline.jobs);

  test("jobs that plan, that post and that apply have variables of different environments", () => {
    expect(Object.entries(pipeline.jobs).map(([name, job]) => [name, environmentOf(job)])).toEqual([
      ["review-plan", "review-plan"],
      ["review-publish", "review-post"],
      ["review-fork", undefined],
      ["apply", "production"],
      ["apply-report", "review-post"],
    ]);
    for (const job of [publish, report])
      expect(jsonOf(job?.script)).not.toMatch(/review\.sh|--prefix review\b/);
    for (const job of [plan, apply]) expect(jsonOf(job)).not.toContain("review post");
  });

  test("plans, states and logs do not leave their jobs", () => {
    expect(jobs.map(({ artifacts }) => artifacts?.paths)).toEqual([
      ["report-$STACK.json"],
      ["review-$STACK.html"],
      undefined,
      ["applied-$STACK.json"],
      undefined,
    ]);
  });

  test("the lists of stacks are equal", () => {
    expect(plan?.parallel).toEqual(publish?.parallel);
    expect(pipeline.variables.STACK).toMatchObject({ options: plan?.parallel?.matrix[0]?.STACK });
  });

  test("jobs that post run one after the other, and so do applies of a stack", () => {
    expect(jobs.map((job) => [job.resource_group, job.interruptible])).toEqual([
      [undefined, true],
      ["review-post/$CI_MERGE_REQUEST_IID", false],
      [undefined, undefined],
      ["apply/$STACK", false],
      ["apply-post", false],
    ]);
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
