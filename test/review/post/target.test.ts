import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type TargetOptions, targetOf } from "../../../review/post/target.ts";
import { testClock, transportTo } from "./double.ts";
import { githubDouble, githubToken } from "./github-double.ts";
import { gitlabDouble, gitlabToken } from "./gitlab-double.ts";
import { revisionOf } from "./world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-target-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const unset: TargetOptions = {
  host: undefined,
  apiUrl: undefined,
  repository: undefined,
  request: undefined,
  revision: undefined,
};
const head = revisionOf(7);

/** Returns the target, and the requests that reading the request and the account sends. */
async function targetWith(options: Partial<TargetOptions>, environment: Readonly<Record<string, string>>) {
  const clock = testClock();
  const log: string[] = [];
  const double = environment.GITLAB_TOKEN || environment.CI_JOB_TOKEN ? gitlabDouble() : githubDouble();
  const ports = { clock, foreign: transportTo({ ...double, api: "" }, { clock, log }) };
  const target = targetOf({ ...unset, ...options }, environment, { ports, dryRun: undefined });
  await target.host.account().catch(() => undefined);
  await target.host.request().catch(() => undefined);
  return { name: target.name, variable: target.variable, revision: target.revision, log };
}

const eventFile = (content: unknown): string => {
  const path = join(folder, "event.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
};

const actions = () => ({
  GITHUB_REPOSITORY: "acme/infra",
  GITHUB_EVENT_PATH: eventFile({ pull_request: { number: 7, head: { sha: head } } }),
  GITHUB_SHA: revisionOf(99),
  GITHUB_TOKEN: githubToken,
});

test("GitHub Actions: the pull request and the head of the event", async () => {
  expect(await targetWith({}, actions())).toEqual({
    name: "GitHub",
    variable: "GITHUB_TOKEN",
    revision: head,
    log: ["POST https://api.github.com/graphql", "GET https://api.github.com/repos/acme/infra/pulls/7"],
  });
});

test("GitHub Enterprise: the URLs of the job, or those that follow from --api-url", async () => {
  const urls = {
    GITHUB_API_URL: "https://git.test/api/v3",
    GITHUB_GRAPHQL_URL: "https://git.test/api/graphql",
  };
  const expected = [
    "POST https://git.test/api/graphql",
    "GET https://git.test/api/v3/repos/acme/infra/pulls/7",
  ];
  expect((await targetWith({}, { ...actions(), ...urls })).log).toEqual(expected);
  expect((await targetWith({ apiUrl: "https://git.test/api/v3/" }, actions())).log).toEqual(expected);
});

test("options precede the variables of the job", async () => {
  const options = { repository: "other/repo", request: "8", revision: revisionOf(3) };
  const { revision, log } = await targetWith(options, actions());
  expect([revision, log[1]]).toEqual([revisionOf(3), "GET https://api.github.com/repos/other/repo/pulls/8"]);
});

test("the head of the event is not that of another request", () => {
  expect(() =>
    targetOf({ ...unset, request: "8" }, actions(), { ports: neverPorts, dryRun: undefined }),
  ).toThrow("the reviewed revision is unknown: set --revision to the full hash of its commit");
});

const neverPorts = { clock: testClock(), foreign: transportTo(githubDouble()) };

const gitlabCi = {
  CI_API_V4_URL: "https://gitlab.test/api/v4",
  CI_PROJECT_ID: "12",
  CI_MERGE_REQUEST_IID: "7",
  CI_COMMIT_SHA: head,
  GITLAB_TOKEN: gitlabToken,
};

test("GitLab CI: the merge request of the pipeline", async () => {
  expect(await targetWith({}, gitlabCi)).toEqual({
    name: "GitLab",
    variable: "GITLAB_TOKEN",
    revision: head,
    log: [
      "GET https://gitlab.test/api/v4/user",
      "GET https://gitlab.test/api/v4/projects/12/merge_requests/7",
    ],
  });
});

test("GitLab CI: a pipeline for merged results reviews the source branch, and one of a fork posts to the target", async () => {
  const more = { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: revisionOf(4), CI_MERGE_REQUEST_PROJECT_ID: "34" };
  const { revision, log } = await targetWith({}, { ...gitlabCi, ...more });
  expect([revision, log[1]]).toEqual([
    revisionOf(4),
    "GET https://gitlab.test/api/v4/projects/34/merge_requests/7",
  ]);
});

describe("a report after the apply", () => {
  const merge = revisionOf(99);

  test("GitHub Actions: a push finds the merged request of its revision", async () => {
    const environment = { ...actions(), GITHUB_EVENT_PATH: eventFile({ ref: "refs/heads/main" }) };
    const { revision, log } = await targetWith({ isApplied: true }, environment);
    expect([revision, log[1]]).toEqual([
      merge,
      `GET https://api.github.com/repos/acme/infra/commits/${merge}/pulls`,
    ]);
  });

  test("GitHub Actions: the event of a merge has its request, and that of an open request its head", async () => {
    const event = (merged: boolean) =>
      eventFile({ pull_request: { number: 7, head: { sha: head }, merged } });
    const targetOf = (merged: boolean) =>
      targetWith({ isApplied: true }, { ...actions(), GITHUB_EVENT_PATH: event(merged) });
    expect(await targetOf(true)).toMatchObject({
      revision: merge,
      log: [expect.anything(), "GET https://api.github.com/repos/acme/infra/pulls/7"],
    });
    expect((await targetOf(false)).revision).toBe(head);
  });

  test("GitLab CI: a pipeline of the default branch finds the merged request of its revision", async () => {
    const { CI_MERGE_REQUEST_IID: _, ...branch } = gitlabCi;
    const { revision, log } = await targetWith({ isApplied: true }, branch);
    expect([revision, log[1]]).toEqual([
      head,
      `GET https://gitlab.test/api/v4/projects/12/repository/commits/${head}/merge_requests`,
    ]);
    const given = await targetWith({ isApplied: true, request: "8", revision: revisionOf(3) }, branch);
    expect([given.revision, given.log[1]]).toEqual([
      revisionOf(3),
      "GET https://gitlab.test/api/v4/projects/12/merge_requests/8",
    ]);
  });

  test("an unknown revision is wrong usage", () => {
    const environment = { ...actions(), GITHUB_SHA: "", GITHUB_EVENT_PATH: "" };
    expect(() =>
      targetOf({ ...unset, isApplied: true }, environment, { ports: neverPorts, dryRun: undefined }),
    ).toThrow("the applied revision is unknown: set --revision to the full hash of its commit");
  });
});

test("GitLab CI: the token of the job is used without another", async () => {
  const { GITLAB_TOKEN: _, ...others } = gitlabCi;
  expect((await targetWith({}, { ...others, CI_JOB_TOKEN: "job" })).variable).toBe("CI_JOB_TOKEN");
});

test.each<[string, Partial<TargetOptions>, Readonly<Record<string, string>>]>([
  [
    "the host is unknown: run this in GitHub Actions or GitLab CI, or set --host",
    {},
    { GITHUB_REPOSITORY: "" },
  ],
  ["--repository OWNER/NAME is required", { repository: "acme/infra/../x" }, {}],
  [
    "the number of the pull request is unknown: run this for a pull request, or set --request NUMBER",
    { request: "7/x" },
    {},
  ],
  [
    "the reviewed revision is unknown: set --revision to the full hash of its commit",
    { revision: "abc" },
    {},
  ],
  ["--api-url must be an https URL", { apiUrl: "http://api.example" }, {}],
  ["--api-url must be an https URL", { apiUrl: "api.example" }, {}],
  [
    "--api-url must be a URL without credentials, query and fragment",
    { apiUrl: "https://a:b@api.example" },
    {},
  ],
  ["the token is missing: set the environment variable GITHUB_TOKEN", {}, { GITHUB_TOKEN: " " }],
  ["GITHUB_TOKEN has characters that no token has", {}, { GITHUB_TOKEN: "a b" }],
])("%s", (message, options, environment) => {
  expect(() =>
    targetOf(
      { ...unset, ...options },
      { ...actions(), ...environment },
      { ports: neverPorts, dryRun: undefined },
    ),
  ).toThrow(new Error(message));
});

test("a cleartext URL of this machine is accepted", () => {
  const target = targetOf({ ...unset, apiUrl: "http://127.0.0.1:8080" }, actions(), {
    ports: neverPorts,
    dryRun: undefined,
  });
  expect(target.name).toBe("GitHub");
});
