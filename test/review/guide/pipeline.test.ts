import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { root } from "../../repository/repository.ts";
import {
  evaluated,
  type GitHub,
  isRun,
  jobsOf,
  type Machine,
  machines,
  type Ran,
  runGitLabJob,
  runJob,
  type Step,
} from "../../support/pipeline.ts";

/** Runs the workflows that `kcloud init review` writes, in a new repository. */

const limit = 120_000;
const emulator = createEmulator({ taskMs: 20 });
const terraform = await ensureEngine("terraform");
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;
let bare: string;
let machine: () => Machine;
/** Revisions of the repository: that of `main`, and one that a pull request adds. */
const revisions = { main: "", change: "" };

const git = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

/** Runs a script of a developer, which must succeed. Returns the output. */
async function script(place: string, ...lines: readonly string[]): Promise<string> {
  const { code, output } = await machine().run(["sh", "-e", "-c"], lines.join("\n"), place, git);
  if (code !== 0) throw new Error(output);
  return output.trim();
}

beforeAll(async () => {
  server = await emulator.listen();
  folder = mkdtempSync(join(tmpdir(), "kcloud-pipeline-"));
  machine = machines(folder, [terraform.path]);
  bare = join(folder, "origin.git");
  await script(folder, "git init -q --bare -b main origin.git", "git clone -q origin.git work");
  const work = join(folder, "work");
  mkdirSync(join(work, "infra"));
  const kcloud = join(root, "dist/kcloud");
  await script(work, "git checkout -q -B main", `${kcloud} init review --github`);
  rmSync(join(work, "review"), { recursive: true });
  mkdirSync(join(folder, "gitlab"));
  await script(join(folder, "gitlab"), `${kcloud} init review --gitlab`);
  // Both hosts in one repository: the files that they share are equal.
  await script(work, "cp -R ../gitlab/review review", "cp ../gitlab/.gitlab-ci.yml .");
  mkdirSync(join(work, "review/action"), { recursive: true });
  copyFileSync(
    join(root, "examples/review/github/action/action.yml"),
    join(work, "review/action/action.yml"),
  );
  for (const name of ["package.json", "package-lock.json"]) writeFileSync(join(work, "review", name), "{}");
  writeFileSync(join(work, ".gitignore"), "node_modules/\n.terraform/\n*.tfstate*\n");
  const commit = ["git add -A", "git commit -q -m change", "git rev-parse HEAD"];
  await script(join(work, "infra"), `${kcloud} init terraform`);
  revisions.main = await script(work, ...commit, "git push -q origin main");
  const file = join(work, "infra/main.tf");
  writeFileSync(file, readFileSync(file, "utf8").replace("size_gb     = 20", "size_gb     = 30"));
  revisions.change = await script(work, "git checkout -q -b change", ...commit, "git push -q origin change");
}, limit);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a file of the repository, as it was copied. */
const copied = (path: string): string => readFileSync(join(folder, "work", path), "utf8");

/** Values of the workflows for an event. */
function valuesOf(event: Readonly<Record<string, string>>): Map<string, string> {
  const { SERVICE_BASE_URL = "", SERVICE_REGION = "" } = environment(server.url);
  return new Map(
    Object.entries({
      "github.server_url": "https://github.example",
      "github.repository": "ana/shop",
      "github.run_id": "1",
      "vars.SERVICE_BASE_URL": SERVICE_BASE_URL,
      "vars.SERVICE_REGION": SERVICE_REGION,
      "secrets.READ_ONLY_API_KEY": "emulator-key",
      "secrets.API_KEY": "emulator-key",
      "secrets.REVIEW_KEY": "",
      ...event,
    }),
  );
}

/** Artifacts of a run by name: the path of the file. */
type Artifacts = Map<string, string>;

/** Returns the actions of the workflows, for a run with this revision. */
const actions =
  (artifacts: Artifacts, revision: string) =>
  async ({ id, uses = "", inputs }: Step, github: GitHub): Promise<Ran> => {
    const { workspace, values } = github;
    const name = inputs.name ?? "";
    switch (uses.replace(/@.*/, "")) {
      case "actions/checkout": {
        const place = join(workspace, inputs.path ?? ".");
        const ref = inputs.ref || revision;
        await script(folder, `git clone -q ${bare} ${place}`, `git -C ${place} checkout -q --detach ${ref}`);
        break;
      }
      case "actions/upload-artifact":
        if (!existsSync(inputs.path ?? "")) return { code: 1, output: `no file ${inputs.path}` };
        artifacts.set(name, inputs.path ?? "");
        break;
      case "actions/download-artifact": {
        const path = artifacts.get(name) ?? "";
        mkdirSync(inputs.path ?? "", { recursive: true });
        copyFileSync(path, join(inputs.path ?? "", basename(path)));
        break;
      }
      case "github/codeql-action/upload-sarif":
        JSON.parse(readFileSync(inputs.sarif_file ?? "", "utf8"));
        break;
      case "./review/action": {
        const action = readFileSync(join(workspace, uses, "action.yml"), "utf8");
        const inner = new Map(values);
        for (const [key, value] of Object.entries(inputs)) inner.set(`inputs.${key}`, value);
        const ran = await runJob("action", action.replace(/^/gm, "  "), { ...github, values: inner });
        for (const [, key, value = ""] of action.matchAll(/^ {2}(\w+):\n(?: {4}desc.*\n) {4}value: (.*)$/gm))
          values.set(`steps.${id}.outputs.${key}`, evaluated(value, inner));
        return ran;
      }
      case "actions/setup-node":
      case "hashicorp/setup-terraform":
        break;
      default:
        throw new Error(`unknown action ${uses}`);
    }
    return { code: 0, output: "" };
  };

interface Run {
  /** Jobs that ran, with their exit codes, up to the first that failed. */
  readonly jobs: Readonly<Record<string, number>>;
  readonly output: string;
  readonly summary: string;
  readonly artifacts: Artifacts;
}

/** Runs the jobs of a workflow for an event, each on a machine of its own. */
async function runWorkflow(path: string, event: Record<string, string>, revision: string): Promise<Run> {
  const values = valuesOf(event);
  const artifacts: Artifacts = new Map();
  const place = mkdtempSync(join(folder, "run-"));
  const jobs: Record<string, number> = {};
  let all = "";
  let summary = "";
  for (const [name, job] of Object.entries(jobsOf(copied(path)))) {
    // Its condition has a function, and its event has one branch only.
    if (path !== ".github/workflows/apply.yml" && !isRun(job, values)) continue;
    if (/^ {4}needs: plan$/m.test(job) && jobs.plan !== 0) continue;
    const [workspace, temporary] = [join(place, name, "checkout"), join(place, name, "temporary")];
    for (const one of [workspace, temporary]) mkdirSync(one, { recursive: true });
    const action = actions(artifacts, revision);
    const ran = await runJob(name, job, { values, machine: machine(), workspace, temporary, action });
    jobs[name] = ran.code;
    all += ran.output;
    const file = join(temporary, "summary.md");
    if (existsSync(file)) summary += readFileSync(file, "utf8");
  }
  return { jobs, output: all, summary, artifacts };
}

const ofRepository = {
  "github.event_name": "pull_request",
  "github.event.pull_request.head.repo.full_name": "ana/shop",
  "github.event.pull_request.number": "7",
};
const review = ".github/workflows/review.yml";

/** Returns the approval digest of the report of a run. */
const digestOf = (report: string): string => JSON.parse(readFileSync(report, "utf8")).approval.digest;

test(
  "on GitHub, a pull request is planned as copied, and so are the merge queue and the apply",
  async () => {
    emulator.reset();
    const opened = await runWorkflow(
      review,
      { ...ofRepository, "github.event.pull_request.base.sha": revisions.main },
      revisions.change,
    );
    expect([opened.jobs, opened.output]).toEqual([{ plan: 0, publish: 0 }, expect.anything()]);
    expect(opened.summary).toContain("kcloud_volume.orders");
    expect([...opened.artifacts.keys()]).toEqual(["review-report", "review-page"]);

    const queued = await runWorkflow(
      review,
      { "github.event_name": "merge_group", "github.event.merge_group.base_ref": "refs/heads/main" },
      revisions.change,
    );
    expect([queued.jobs, queued.summary]).toEqual([{ plan: 0, publish: 0 }, opened.summary]);
    expect(emulator.inventory.list()).toEqual([]);

    const digest = digestOf(opened.artifacts.get("review-report") ?? "");
    const apply = (approved: string) =>
      runWorkflow(".github/workflows/apply.yml", { "inputs.digest": approved }, revisions.change);
    const refused = await apply(`${digest.slice(0, -1)}${digest.endsWith("0") ? 1 : 0}`);
    expect([refused.jobs, emulator.inventory.list()]).toEqual([{ apply: 5 }, []]);
    const applied = await apply(digest);
    expect([applied.jobs, applied.output]).toEqual([{ apply: 0 }, expect.anything()]);
    expect(emulator.inventory.list().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["vpc", "volume"]),
    );
  },
  limit,
);

test("on GitHub, a pull request of a fork is not planned, and its check fails", async () => {
  emulator.log.clear();
  const event = { ...ofRepository, "github.event.pull_request.head.repo.full_name": "eve/shop" };
  const { jobs, summary } = await runWorkflow(review, event, revisions.change);
  expect(jobs).toEqual({ fork: 4 });
  expect(summary).toMatch(/^Not reviewed: /);
  expect(emulator.log.entries()).toEqual([]);
});

test(
  "on GitLab, a merge request is planned and published as copied, and applied after the approval",
  async () => {
    emulator.reset();
    const pipeline = copied("review/gitlab-ci.yml");
    const run = async (job: string, revision: string, more: Record<string, string>, files = {}) => {
      const checkout = mkdtempSync(join(folder, "gitlab-"));
      await script(folder, `git clone -q ${bare} ${checkout}`, `git -C ${checkout} checkout -q ${revision}`);
      for (const [name, text] of Object.entries<string>(files)) writeFileSync(join(checkout, name), text);
      const variables = { ...environment(server.url), CI_COMMIT_SHA: revision, ...more };
      return {
        checkout,
        ...(await runGitLabJob(pipeline, job, { machine: machine(), checkout, variables })),
      };
    };
    const ofRequest = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" };
    const planned = await run("review-plan", revisions.change, ofRequest);
    expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("kcloud_volume.orders")]);
    const report = readFileSync(join(planned.checkout, "report.json"), "utf8");
    const published = await run("review-publish", revisions.change, ofRequest, { "report.json": report });
    expect([published.code, published.output]).toEqual([0, expect.anything()]);
    for (const name of ["code-quality.json", "review.xml", "review.html"])
      expect(existsSync(join(published.checkout, name))).toBe(true);
    expect(emulator.inventory.list()).toEqual([]);
    const digest = digestOf(join(planned.checkout, "report.json"));
    const applied = await run("apply", revisions.change, { DIGEST: digest });
    expect([applied.code, applied.output]).toEqual([0, expect.anything()]);
    expect(emulator.inventory.list().length).toBeGreaterThan(1);
  },
  limit,
);
