import { expect, test } from "@jest/globals";
import { gitlabHost } from "../../../review/post/gitlab.ts";
import { type Fault, testClock, transportTo } from "./double.ts";
import { type GitlabDouble, gitlabDouble, gitlabToken } from "./gitlab-double.ts";
import { postTo, reportWith, revisionOf } from "./world.ts";

const revision = revisionOf(1);

function hostOf(
  double: GitlabDouble,
  {
    fault,
    tokenHeader = "private-token" as "private-token" | "job-token",
  }: { fault?: Fault; tokenHeader?: "private-token" | "job-token" } = {},
) {
  const clock = testClock();
  const ports = { clock, foreign: transportTo(double, { clock, ...(fault && { fault }) }) };
  return gitlabHost(
    { ports, api: double.api, token: gitlabToken, dryRun: undefined },
    { project: "acme/infra", key: { number: 7 }, pipeline: undefined, tokenHeader },
  );
}

const status = {
  revision,
  name: "kcloud review: net",
  hasPassed: false,
  line: "x".repeat(500),
  annotations: [],
  comment: "",
  url: undefined,
};

test("a status has a description of at most 255 characters, and may be set again", async () => {
  const double = gitlabDouble();
  const host = hostOf(double);
  await host.setStatus(status);
  await host.setStatus(status);
  await host.setStatus({ ...status, hasPassed: true });
  expect(double.statuses).toEqual([
    { sha: revision, name: "kcloud review: net", state: "success", description: `${"x".repeat(254)}…` },
  ]);
});

test("a status that cannot have the state is an error", async () => {
  const message = "Cannot transition status via :success from :canceled";
  const fault: Fault = () => ({ status: 400, body: { message } });
  await expect(hostOf(gitlabDouble(), { fault }).setStatus(status)).rejects.toThrow(message);
});

test.each([
  [{}, undefined],
  [{ CI_PIPELINE_ID: "55", CI_PROJECT_ID: "acme/infra", CI_COMMIT_SHA: revision }, 55],
  // A pipeline for merged results, and one of a fork, are of another commit or project.
  [{ CI_PIPELINE_ID: "55", CI_PROJECT_ID: "acme/infra", CI_COMMIT_SHA: revisionOf(2) }, undefined],
  [{ CI_PIPELINE_ID: "55", CI_PROJECT_ID: "ann/infra", CI_COMMIT_SHA: revision }, undefined],
])("in a job with %j, the status belongs to the pipeline %s", async (environment, pipeline) => {
  const double = gitlabDouble();
  double.request.sha = revision;
  const bodies: unknown[] = [];
  const fault: Fault = ({ url, body }) => {
    if (url.pathname.includes("/statuses/")) bodies.push(body.pipeline_id);
    return undefined;
  };
  await postTo({ double, revision, report: reportWith(), environment, fault });
  expect(bodies).toEqual([pipeline]);
});

test("another refusal of a status is an error", async () => {
  const fault: Fault = () => ({ status: 400, body: { message: "name is invalid" } });
  await expect(hostOf(gitlabDouble(), { fault }).setStatus(status)).rejects.toThrow(
    "failed with 400: name is invalid.",
  );
});

test("notes of the system are no comments", async () => {
  const double = gitlabDouble();
  double.note("ann", "added 1 commit", true);
  double.note("ann", "hello");
  expect(await hostOf(double).comments()).toEqual([{ id: 502, author: "ann", body: "hello" }]);
});

test("the token of a job cannot read the account, and the error says which token can", async () => {
  const double = gitlabDouble();
  double.request.sha = revision;
  await expect(
    postTo({
      double,
      revision,
      report: reportWith(),
      environment: { GITLAB_TOKEN: "", CI_JOB_TOKEN: "job" },
    }),
  ).rejects.toThrow(
    "GET /projects/acme%2Finfra/merge_requests/7 of GitLab failed with 401: 401 Unauthorized. CI_JOB_TOKEN is not a valid token of this host, has expired, or cannot be used here: it needs the scope api and the role Developer; CI_JOB_TOKEN cannot write comments, so set GITLAB_TOKEN.",
  );
});

test("a guest cannot write, and the error names the role", async () => {
  const double = gitlabDouble();
  double.request.sha = revision;
  double.canWrite = false;
  await expect(postTo({ double, revision, report: reportWith() })).rejects.toThrow(
    /failed with 403: 403 Forbidden\. GITLAB_TOKEN needs the scope api and the role Developer;/,
  );
});

test.each([
  ["opened", "open"],
  ["closed", "closed"],
  ["merged", "merged"],
  ["locked", "closed"],
] as const)("a merge request that is %s is %s", async (state, expected) => {
  const double = gitlabDouble();
  Object.assign(double.request, { sha: revision, state, isFork: true, isLocked: true });
  expect(await hostOf(double).request()).toEqual({
    head: revision,
    state: expected,
    isLocked: true,
    isFork: true,
    labels: [],
  });
});
