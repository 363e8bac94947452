import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { root } from "../../repository/repository.ts";
import { machines } from "../../support/ci/machine.ts";
import { served } from "../post/double.ts";
import { type GithubDouble, githubDouble, githubToken } from "../post/github-double.ts";
import { type GitlabDouble, gitlabDouble, gitlabToken } from "../post/gitlab-double.ts";
import { runPipeline, runWorkflow, type Site, script } from "./ci.ts";

/** Runs the workflows that `kcloud init review` writes, unchanged, in a new repository with one stack. */

const limit = 120_000;
const emulator = createEmulator({ taskMs: 20 });
const terraform = await ensureEngine("terraform");
let server: Awaited<ReturnType<typeof emulator.listen>>;
let site: Site;
/** Revisions of the repository: that of `main`, and one that a pull request adds. */
const revisions = { main: "", change: "" };

beforeAll(async () => {
  server = await emulator.listen();
  const folder = mkdtempSync(join(tmpdir(), "kcloud-pipeline-"));
  const { SERVICE_API_KEY: _, SERVICE_BASE_URL: __, SERVICE_REGION: ___, ...speed } = environment(server.url);
  site = { folder, bare: join(folder, "origin.git"), machine: machines(folder, [terraform.path], speed) };
  const run = (place: string, ...lines: string[]) => script(site.machine(), place, ...lines);
  await run(folder, "git init -q --bare -b main origin.git", "git clone -q origin.git work");
  const work = join(folder, "work");
  mkdirSync(join(work, "infra"));
  const kcloud = join(root, "dist/kcloud");
  await run(work, "git checkout -q -B main", `${kcloud} init review --github`);
  rmSync(join(work, "review"), { recursive: true });
  mkdirSync(join(folder, "gitlab"));
  await run(join(folder, "gitlab"), `${kcloud} init review --gitlab`);
  // Both hosts in one repository: the files that they share are equal.
  await run(work, "cp -R ../gitlab/review review", "cp ../gitlab/.gitlab-ci.yml .");
  mkdirSync(join(work, "review/action"), { recursive: true });
  copyFileSync(
    join(root, "examples/review/github/action/action.yml"),
    join(work, "review/action/action.yml"),
  );
  for (const name of ["package.json", "package-lock.json"]) writeFileSync(join(work, "review", name), "{}");
  writeFileSync(join(work, ".gitignore"), "node_modules/\n.terraform/\n*.tfstate*\n");
  const commit = ["git add -A", "git commit -q -m change", "git rev-parse HEAD"];
  await run(join(work, "infra"), `${kcloud} init terraform`);
  revisions.main = await run(work, ...commit, "git push -q origin main");
  const file = join(work, "infra/main.tf");
  writeFileSync(file, readFileSync(file, "utf8").replace("size_gb     = 20", "size_gb     = 30"));
  revisions.change = await run(work, "git checkout -q -b change", ...commit, "git push -q origin change");
}, limit);
afterAll(async () => {
  await server.close();
  rmSync(site.folder, { recursive: true, force: true });
});

/** Returns a file of the repository, as it was copied. */
const copied = (path: string): string => readFileSync(join(site.folder, "work", path), "utf8");

/** Runs a workflow for an event of the repository. */
const workflow = (name: string, values: Readonly<Record<string, string>>, api?: string) =>
  runWorkflow(site, copied(`.github/workflows/${name}.yml`), {
    values: {
      "vars.SERVICE_BASE_URL": server.url,
      "vars.SERVICE_REGION": "In-Bangalore-1",
      "github.ref": "refs/heads/main",
      "github.event.repository.default_branch": "main",
      ...values,
    },
    secrets: { READ_ONLY_API_KEY: "emulator-key", "production.API_KEY": "emulator-key" },
    revision: revisions.change,
    token: githubToken,
    ...(api !== undefined && { api, request: { number: 7, head: { sha: revisions.change } } }),
  });

const ofRepository = {
  "github.event_name": "pull_request",
  "github.event.pull_request.head.repo.full_name": "acme/infra",
  "github.event.pull_request.number": "7",
};

/** Returns the approval digest of a report. */
const digestOf = (path: string): string => JSON.parse(readFileSync(path, "utf8")).approval.digest;

/** Returns another digest. */
const otherThan = (digest: string): string => `${digest.slice(0, -1)}${digest.endsWith("0") ? 1 : 0}`;

test(
  "on GitHub, a pull request is planned and posted as copied, and planned again in the merge queue",
  async () => {
    emulator.reset();
    let double: GithubDouble | undefined;
    const opened = await served(
      (api) => {
        double = githubDouble(api);
        double.pull.head = revisions.change;
        return double;
      },
      (api) =>
        workflow("review", { ...ofRepository, "github.event.pull_request.base.sha": revisions.main }, api),
    );
    const jobs = { "plan (infra)": 0, "publish (infra)": 0 };
    expect([opened.jobs, opened.output]).toEqual([jobs, expect.anything()]);
    expect(opened.summary).toContain("kcloud_volume.orders");
    expect(readdirSync(opened.artifacts)).toEqual(["review-page-infra", "review-report-infra"]);
    expect(double?.comments.map(({ body }) => body)).toEqual([expect.stringContaining("Stack `infra`")]);

    const queued = await workflow("review", {
      "github.event_name": "merge_group",
      "github.event.merge_group.base_ref": "refs/heads/main",
    });
    expect([queued.jobs, queued.summary]).toEqual([jobs, opened.summary]);
    expect(emulator.inventory.list()).toEqual([]);

    const digest = digestOf(join(opened.artifacts, "review-report-infra/report.json"));
    const inputs = { "inputs.stack": "infra", "inputs.request": "" };
    const refused = await workflow("apply", { ...inputs, "inputs.digest": otherThan(digest) });
    expect([refused.jobs, emulator.inventory.list()]).toEqual([{ apply: 5, report: 0 }, []]);
    expect(refused.output.match(/Nothing was applied\./g)).toHaveLength(2);
  },
  limit,
);

test("on GitHub, a pull request of a fork is not planned, and its check fails", async () => {
  emulator.log.clear();
  const event = { ...ofRepository, "github.event.pull_request.head.repo.full_name": "eve/shop" };
  const { jobs, summary } = await workflow("review", event);
  expect(jobs).toEqual({ fork: 4 });
  expect(summary).toMatch(/^Not reviewed: /);
  expect(emulator.log.entries()).toEqual([]);
});

test(
  "on GitLab, a merge request is planned and posted as copied, and one of a fork is not planned",
  async () => {
    emulator.reset();
    const project = [
      { name: "SERVICE_BASE_URL", value: server.url },
      { name: "SERVICE_REGION", value: "In-Bangalore-1" },
      { name: "SERVICE_API_KEY", value: "emulator-key", scopes: ["review-plan", "production"] },
      { name: "GITLAB_TOKEN", value: gitlabToken, scopes: ["review-post"] },
    ];
    let double: GitlabDouble | undefined;
    const run = (variables: Readonly<Record<string, string>>) =>
      served(
        (url) => {
          double = gitlabDouble(`${url}/api/v4`);
          double.request.sha = revisions.change;
          return double;
        },
        (url) =>
          runPipeline(site, copied("review/gitlab-ci.yml"), {
            project,
            revision: revisions.change,
            variables: {
              CI_API_V4_URL: `${url}/api/v4`,
              CI_COMMIT_SHA: revisions.change,
              CI_DEFAULT_BRANCH: "main",
              CI_PIPELINE_URL: "https://gitlab.example/acme/infra/-/pipelines/1",
              CI_PROJECT_ID: "acme/infra",
              CI_PROJECT_PATH: "acme/infra",
              ...variables,
            },
          }),
      );
    const request = {
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_MERGE_REQUEST_IID: "7",
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/infra",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
    };
    const opened = await run(request);
    const jobs = { "review-plan (infra)": 0, "review-publish (infra)": 0 };
    expect([opened.jobs, opened.output]).toEqual([jobs, expect.stringContaining("kcloud_volume.orders")]);
    const files = ["code-quality-infra.json", "report-infra.json", "review-infra.html", "review-infra.xml"];
    expect(readdirSync(opened.artifacts)).toEqual(files);
    expect(double?.notes.map(({ body }) => body)).toEqual([expect.stringContaining("Stack `infra`")]);

    emulator.log.clear();
    const ofFork = await run({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "eve/shop" });
    expect([ofFork.jobs, emulator.log.entries()]).toEqual([{ "review-fork": 4 }, []]);

    const digest = digestOf(join(opened.artifacts, "report-infra.json"));
    const started = { CI_PIPELINE_SOURCE: "web", CI_COMMIT_BRANCH: "main", STACK: "infra" };
    const refused = await run({ ...started, DIGEST: otherThan(digest) });
    expect([refused.jobs, emulator.inventory.list()]).toEqual([{ apply: 5, "apply-report": 0 }, []]);
    expect(refused.output.match(/Nothing was applied\./g)).toHaveLength(2);
  },
  limit,
);
