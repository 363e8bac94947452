import { describe, expect, test } from "@jest/globals";
import { cut, githubHost } from "../../../review/post/github.ts";
import type { Status } from "../../../review/post/host.ts";
import { type Fault, testClock, transportTo } from "./double.ts";
import { type GithubDouble, githubDouble, githubToken } from "./github-double.ts";
import { finding, findingsTo, postTo, reportWith, revisionOf } from "./world.ts";

const revision = revisionOf(1);
const account = "github-actions[bot]";

function hostOf(double: GithubDouble, fault?: Fault, log: string[] = []) {
  const clock = testClock();
  const ports = { clock, foreign: transportTo(double, { clock, log, ...(fault && { fault }) }) };
  return githubHost(
    { ports, api: double.api, token: githubToken, dryRun: undefined },
    { repository: "acme/infra", key: { number: 7 }, graphql: `${double.api}/graphql` },
  );
}

const status = (more: Partial<Status> = {}): Status => ({
  revision,
  name: "kcloud review: net",
  hasPassed: false,
  line: "1 plan",
  annotations: [],
  comment: "text",
  url: undefined,
  ...more,
});

describe("the double refuses what GitHub's document refuses", () => {
  const send = (method: string, path: string, body: Readonly<Record<string, unknown>> = {}) =>
    githubDouble().answer({
      method,
      url: new URL(`https://api.github.test/repos/acme/infra${path}`),
      headers: { authorization: `Bearer ${githubToken}`, "user-agent": "kcloud" },
      body,
    });

  test.each([
    ["GET", "/issues/7/comments?size=1", {}, /the parameter size is not documented/],
    ["GET", "/wiki", {}, /GET .* is not documented/],
    ["POST", "/issues/7/comments", {}, /expected string/],
    ["POST", "/issues/7/comments", { body: "x", text: "y" }, /text/],
    ["POST", "/check-runs", { name: "x", head_sha: revision, conclusion: "failed" }, /conclusion/],
    [
      "POST",
      "/check-runs",
      {
        name: "x",
        head_sha: revision,
        status: "completed",
        conclusion: "success",
        output: { title: "x", summary: "x", annotations: Array.from({ length: 51 }, () => ({})) },
      },
      /annotations/,
    ],
    [`POST`, `/statuses/${revision}`, { state: "failed" }, /state/],
    ["POST", "/issues/7/labels", { labels: "x" }, /422/],
    ["DELETE", "/issues/comments/7", { body: "x" }, /a body is not documented/],
  ])("%s %s %j", (method, path, body, problem) => {
    const reply = send(method, path, body);
    expect(reply.status).toBe(422);
    expect(`${reply.status} ${JSON.stringify(reply.body)}`).toMatch(problem);
  });
});

test("findings with a place are annotations of the check, 50 in a request and 150 in all", async () => {
  const double = githubDouble();
  double.pull.head = revision;
  const findings = [...findingsTo(200), finding(300, { source: undefined })];
  await postTo({ double, revision, report: reportWith(findings) });
  const [check] = double.checks;
  expect(check?.annotations).toHaveLength(150);
  expect(check?.annotations[0]).toEqual({
    path: "infra/main.tf",
    start_line: 1,
    end_line: 1,
    annotation_level: "failure",
    title: "DATA-01 Data is destroyed",
    message: 'The volume "v0" is deleted. Keep the volume.',
  });
  expect(check?.output.summary).toBe("50 more findings with a place are in the comment of the pull request.");
});

test("the places of a report that GitHub would refuse, and those of waived findings, are no annotations", async () => {
  const double = githubDouble();
  double.pull.head = revision;
  const waiver = { owner: "ann", reason: "copied", until: "2027-01-31" };
  const places = [
    { file: "", line: 1 },
    { file: "/etc/a", line: 1 },
    { file: "b/../../a", line: 1 },
    { file: "a", line: 0 },
    { file: "a", line: 1.5 },
    { file: "a", line: 2 },
  ];
  const findings = places.map((source, index) => finding(index, { source }));
  await postTo({ double, revision, report: reportWith([...findings, finding(9, { waiver })]) });
  expect(double.checks[0]?.annotations).toEqual([expect.objectContaining({ path: "a", start_line: 2 })]);
});

test("a token that may not create checks sets a status, with a description of at most 140 characters", async () => {
  const double = githubDouble();
  double.lacking.add("checks");
  expect(await hostOf(double).setStatus(status({ line: "x".repeat(500) }))).toBe("status");
  expect(double.statuses).toEqual([{ sha: revision, state: "failure", context: "kcloud review: net" }]);
});

test("the comment that a check of this account stores is read again, and that of another app is not", async () => {
  const double = githubDouble();
  const host = hostOf(double);
  await host.setStatus(status({ comment: "stored" }));
  const read = (name = status().name, of = account) => host.storedComment(revision, name, of);
  expect(await read()).toBe("stored");
  expect(await read("kcloud review: app")).toBeUndefined();
  expect(await read(undefined, "other[bot]")).toBeUndefined();
  expect(await read(undefined, "ann")).toBeUndefined();
});

test("a token that may not read checks has stored no comment", async () => {
  const host = hostOf(githubDouble(), () => ({ status: 403, body: { message: "Resource not accessible" } }));
  expect(await host.storedComment(revision, "name", account)).toBeUndefined();
});

test("a label that another job removed meanwhile is no error", async () => {
  const double = githubDouble();
  double.pull.labels = ["bug"];
  await hostOf(double).changeLabels({ added: ["kcloud: passed"], removed: ["kcloud: blocked"] });
  expect(double.pull.labels).toEqual(["bug", "kcloud: passed"]);
});

test("a request whose fork was deleted is of a fork", async () => {
  const double = githubDouble();
  const body = {
    state: "open",
    locked: false,
    head: { sha: revision, repo: null },
    base: { repo: { id: 1 } },
    labels: [],
  };
  expect(await hostOf(double, () => ({ status: 200, body })).request()).toEqual({
    head: revision,
    state: "open",
    isLocked: false,
    isFork: true,
    labels: [],
  });
});

test("a comment whose account was deleted has no author", async () => {
  const body = [{ id: 1, body: null, user: null }];
  expect(await hostOf(githubDouble(), () => ({ status: 200, body })).comments()).toEqual([
    { id: 1, author: "", body: "" },
  ]);
});

test("texts are cut to the limits of the host", () => {
  expect([cut("abc", 3), cut("abcd", 3), cut("a\u{1f6d1}c", 3)]).toEqual(["abc", "ab…", "a\ufffd…"]);
});

test("a comment that the host shows as that of another account is written once, and is an error", async () => {
  const double = githubDouble(undefined, { author: "somebody" });
  double.pull.head = revision;
  await expect(postTo({ double, report: reportWith(), revision })).rejects.toThrow(
    'the author of the new comment is "somebody", and the account of the token is "github-actions[bot]"',
  );
  expect(double.comments).toHaveLength(1);
});
