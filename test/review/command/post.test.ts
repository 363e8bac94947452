import { describe, expect, test } from "@jest/globals";
import { withExitCode } from "../../../review/command/main.ts";
import { postReport } from "../../../review/command/post.ts";
import { markerOf } from "../../../review/post/comment.ts";
import { type DoubleReply, type Fault, served, testClock, transportTo } from "../post/double.ts";
import { type GithubDouble, githubDouble, githubToken } from "../post/github-double.ts";
import { gitlabDouble, gitlabToken } from "../post/gitlab-double.ts";
import { appliedWith, findingsTo, reportWith, revisionOf } from "../post/world.ts";
import { type Ran, type RunReview, runBuilt, runMain } from "./run.ts";
import { at, file } from "./world.ts";

const revision = revisionOf(1);

/** Variables of other CI systems and of the machine that runs the tests. */
const none = Object.fromEntries(
  [
    ...["GITHUB_REPOSITORY", "GITHUB_EVENT_PATH", "GITHUB_API_URL", "GITHUB_GRAPHQL_URL", "GITHUB_TOKEN"],
    ...["GITLAB_TOKEN", "CI_JOB_TOKEN", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID"],
    ...["CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_COMMIT_SHA"],
  ].map((name) => [name, ""]),
);

/** Variables of a job of GitHub Actions for pull request 7. */
const actions = () => ({
  ...none,
  GITHUB_REPOSITORY: "acme/infra",
  GITHUB_EVENT_PATH: file("event.json", { pull_request: { number: 7, head: { sha: revision } } }),
  GITHUB_API_URL: "https://api.github.test",
  GITHUB_TOKEN: githubToken,
});

interface Case {
  /** Changes the double before the command runs. */
  readonly prepare?: (double: GithubDouble) => void;
  /** Returns the faults of one run. */
  readonly fault?: () => Fault;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

async function run({
  prepare,
  fault,
  environment,
  args = [],
}: Case): Promise<Ran & { double: GithubDouble; log: string[]; pauses: readonly number[] }> {
  const double = githubDouble();
  double.pull.head = revision;
  prepare?.(double);
  const clock = testClock();
  const log: string[] = [];
  const ports = { clock, foreign: transportTo(double, { clock, log, ...(fault && { fault: fault() }) }) };
  const path = file("report.json", reportWith(findingsTo(2)));
  const main = (all: readonly string[]) => withExitCode("review", () => postReport(all, ports));
  const ran = await runMain(main, ["--in", path, ...args], { ...actions(), ...environment });
  return { ...ran, double, log, pauses: clock.pauses };
}

const isCreate: Fault = ({ method, url }) =>
  method === "POST" && url.pathname.endsWith("/comments") ? { status: 500 } : undefined;
/** Returns a fault of the first requests that create a comment. */
const creating =
  (...replies: (DoubleReply | "lost" | "hangs")[]) =>
  (): Fault => {
    const left = [...replies];
    return (request, count) => (isCreate(request, count) === undefined ? undefined : left.shift());
  };
const reading =
  (reply: DoubleReply | "hangs", times = Number.POSITIVE_INFINITY) =>
  (): Fault => {
    let left = times;
    return ({ method, url }) =>
      method === "GET" && url.pathname.endsWith("/pulls/7") && left-- > 0 ? reply : undefined;
  };

const check = `Set the check "kcloud review: plan" of ${revision}.`;
const posted = `${check}\nCreated the comment.\n`;
const pull = "GET /repos/acme/infra/pulls/7 of GitHub";
const create = "POST /repos/acme/infra/issues/7/comments of GitHub";
const needs = "GITHUB_TOKEN needs checks: write, issues: write and pull-requests: write.";

const cases: Readonly<Record<string, Case>> = {
  "all is well": { code: 0, stdout: posted },
  "401: the token has expired": {
    environment: { GITHUB_TOKEN: "expired" },
    code: 6,
    stderr: `${pull} failed with 401: Bad credentials. GITHUB_TOKEN is not a valid token of this host, has expired, or cannot be used here: it needs checks: write, issues: write and pull-requests: write.`,
  },
  "403: a permission is missing": {
    prepare: ({ lacking }) => lacking.add("comments"),
    code: 6,
    stderr: `${create} failed with 403: Resource not accessible by integration. ${needs} Done before: ${check}`,
  },
  "403: the token of a fork can only read": {
    prepare(double) {
      double.pull.isFork = true;
      for (const permission of ["checks", "statuses", "comments", "labels"] as const)
        double.lacking.add(permission);
    },
    code: 6,
    stderr: `POST /repos/acme/infra/statuses/${revision} of GitHub failed with 403: Resource not accessible by integration. The request is of a fork, whose jobs get a token that can only read: post from a job of the target repository.`,
  },
  "403: the conversation is locked": {
    prepare(double) {
      double.pull.locked = true;
    },
    code: 6,
    stderr: `${create} failed with 403: Unable to create comment because issue is locked. The conversation is locked: only an account with write access can comment. ${needs} Done before: ${check}`,
  },
  "404: no such request, or no right to read it": {
    args: ["--request", "8", "--revision", revision],
    code: 6,
    stderr: `GET /repos/acme/infra/pulls/8 of GitHub failed with 404: Not Found. The repository or the request does not exist, or GITHUB_TOKEN may not read it: it needs checks: write, issues: write and pull-requests: write.`,
  },
  "409: a conflict": {
    fault: creating({ status: 409, body: { message: "Conflict" } }),
    code: 6,
    stderr: `${create} failed with 409: Conflict. Done before: ${check}`,
  },
  "422: the host refuses the content": {
    fault: creating({
      status: 422,
      body: { message: "Validation Failed", errors: [{ code: "unprocessable" }] },
    }),
    code: 6,
    stderr: `${create} failed with 422: Validation Failed; {"code":"unprocessable"}. Done before: ${check}`,
  },
  "429 with Retry-After: waits": {
    fault: creating({ status: 429, headers: { "retry-after": "7" } }),
    code: 0,
    stdout: posted,
  },
  "429 with a long Retry-After: gives up": {
    fault: creating({ status: 429, headers: { "retry-after": "3600" } }),
    code: 6,
    stderr: `${create} is limited by the host for 3600 s, more than the 60 s that this command waits. Run it again later. Done before: ${check}`,
  },
  "403 of a limit without Retry-After: waits until the limit is reset": {
    fault: reading({ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" } }, 1),
    code: 0,
    stdout: posted,
  },
  "502 twice, then fine": { fault: reading({ status: 502, text: "<html>" }, 2), code: 0, stdout: posted },
  "502 again and again": {
    fault: reading({ status: 502, text: "<html>" }),
    code: 6,
    stderr: `${pull} failed with 502.`,
  },
  "502 to a write that had its effect: no second comment": {
    fault: creating("lost"),
    code: 0,
    stdout: `${check}\n`,
  },
  "no response in time": {
    fault: reading("hangs"),
    code: 6,
    stderr: `${pull} got no response: it took longer than 30 s.`,
  },
  "the comment is deleted while the command runs": {
    prepare: (double) => double.comment("github-actions[bot]", `${markerOf("plan")}\nold`),
    fault:
      () =>
      ({ method }) =>
        method === "PATCH" ? { status: 404, body: { message: "Not Found" } } : undefined,
    code: 6,
    stderr: `PATCH /repos/acme/infra/issues/comments/101 of GitHub failed with 404: Not Found. The repository or the request does not exist, or GITHUB_TOKEN may not read it: it needs checks: write, issues: write and pull-requests: write. Done before: ${check}`,
  },
  "the request is closed": {
    prepare(double) {
      double.pull.state = "closed";
    },
    code: 0,
    stdout: "The request is closed: nothing is posted.\n",
  },
  "the request is merged": {
    prepare(double) {
      double.pull.state = "closed";
      double.pull.merged = true;
    },
    code: 0,
    stdout: "The request is merged: nothing is posted.\n",
  },
  "the report is of an older revision": {
    args: ["--revision", revisionOf(9)],
    code: 0,
    stdout: `The report is outdated: the head is ${revision}, not ${revisionOf(9)}. No status is set.\nCreated the comment.\n`,
  },
  "a redirect to another host, which does not get the token": {
    fault:
      () =>
      ({ method }) =>
        method === "GET" ? { status: 302, headers: { location: "https://evil.example/x" } } : undefined,
    code: 6,
    stderr: `${pull} is redirected (302) to another host, evil.example, which does not get the token. Set --api-url to the URL of the API.`,
  },
  "a response that is not JSON": {
    fault: reading({ status: 200, text: "<html>", headers: { "content-type": "text/html" } }),
    code: 6,
    stderr: `${pull} got a response that is not JSON (200, text/html). Is https://api.github.test the URL of the API?`,
  },
  "JSON of another form": {
    fault: reading({ status: 200, body: { hello: 1 } }),
    code: 6,
    stderr: `${pull} got JSON of another form: state is not as documented. Is https://api.github.test the URL of the API?`,
  },
  "pages that form a loop": {
    fault:
      () =>
      ({ method, url }) =>
        method === "GET" && url.pathname.endsWith("/comments")
          ? {
              status: 200,
              body: [],
              headers: {
                link: '<https://api.github.test/repos/acme/infra/issues/7/comments?per_page=100>; rel="next"',
              },
            }
          : undefined,
    code: 6,
    stderr:
      "GET /repos/acme/infra/issues/7/comments?per_page=100 of GitHub lists a page twice: its pages form a loop.",
  },
  "an unknown host": {
    environment: { GITHUB_REPOSITORY: "" },
    code: 1,
    stderr:
      "the host is unknown: run this in GitHub Actions or GitLab CI, or set --host; see kcloud review --help",
  },
  "an event without a pull request": {
    environment: { GITHUB_EVENT_PATH: "" },
    code: 1,
    stderr:
      "the number of the pull request is unknown: run this for a pull request, or set --request NUMBER; see kcloud review --help",
  },
  "no token": {
    environment: { GITHUB_TOKEN: "" },
    code: 1,
    stderr: "the token is missing: set the environment variable GITHUB_TOKEN; see kcloud review --help",
  },
};

test.each(Object.entries(cases))("%s", async (_, one) => {
  const { code, stdout, stderr } = await run(one);
  const { stderr: message } = one;
  const name = one.code === 6 ? "kcloud review post" : "kcloud review";
  expect({ code, stdout, stderr }).toEqual({
    code: one.code,
    stdout: one.stdout ?? "",
    stderr: message === undefined ? "" : `${name}: ${message}\n`,
  });
  expect(stdout + stderr).not.toContain(githubToken);
});

describe("repetitions", () => {
  test("the pause is that of Retry-After", async () => {
    expect((await run(cases["429 with Retry-After: waits"] as Case)).pauses).toEqual([7000]);
  });

  test("the pauses after 502 grow", async () => {
    expect((await run(cases["502 again and again"] as Case)).pauses).toEqual([1000, 2000, 4000]);
  });

  test("a comment whose response was lost is found by the next reading, and not created again", async () => {
    const { double, log } = await run(cases["502 to a write that had its effect: no second comment"] as Case);
    expect(double.comments).toHaveLength(1);
    expect(log.filter((line) => line === "POST /repos/acme/infra/issues/7/comments")).toHaveLength(1);
  });

  test("a comment that was not created is created by the next round", async () => {
    const { double, code } = await run({ fault: creating({ status: 502 }), code: 0 });
    expect([code, double.comments.length]).toEqual([0, 1]);
  });

  test("no request leaves for the target of a redirect to another host", async () => {
    const { log } = await run(cases["a redirect to another host, which does not get the token"] as Case);
    expect(log).toEqual(["GET /repos/acme/infra/pulls/7"]);
  });
});

test("the names of the inputs are the default of --stack", async () => {
  const { double } = await run({ code: 0 });
  expect(double.comments[0]?.body.startsWith(markerOf("plan"))).toBe(true);
});

/** Runs the command with the network of this machine. */
const command: RunReview = (args, environment) =>
  runMain((all) => withExitCode("review", () => postReport(all)), args, environment);

describe("over HTTP, the command", () => {
  test("posts to GitHub, and again with --dry-run", async () => {
    let double: GithubDouble | undefined;
    await served(
      (api) => {
        double = githubDouble(api);
        double.pull.head = revision;
        return double;
      },
      async (api) => {
        const path = file("report.json", reportWith(findingsTo(1)));
        const environment = { ...actions(), GITHUB_API_URL: api };
        expect(await command(["--in", path], environment)).toEqual({
          code: 0,
          stdout: posted,
          stderr: "",
        });
        const dry = await command(["--in", path, "--dry-run"], environment);
        expect([dry.code, dry.stdout.split("\n").at(-2)]).toEqual([0, "Dry run: nothing was changed."]);
        expect(double?.comments).toHaveLength(1);
      },
    );
  });

  test("posts to GitLab", async () => {
    await served(
      (api) => {
        const double = gitlabDouble(`${api}/api/v4`);
        double.request.sha = revision;
        return double;
      },
      async (api) => {
        const path = file("report.json", reportWith());
        const environment = {
          ...none,
          CI_API_V4_URL: `${api}/api/v4`,
          CI_PROJECT_ID: "acme/infra",
          CI_MERGE_REQUEST_IID: "7",
          CI_COMMIT_SHA: revision,
          GITLAB_TOKEN: gitlabToken,
        };
        expect(await command(["--in", path, "--labels"], environment)).toEqual({
          code: 0,
          stdout: `Set the status "kcloud review: plan" of ${revision}.\nCreated the comment.\nSet the label "kcloud: passed".\n`,
          stderr: "",
        });
      },
    );
  });
});

test("the built command reads the report before anything else, and needs a token", async () => {
  const ran = await runBuilt(["post", "--in", at("missing.json")], actions());
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  const path = file("report.json", reportWith());
  expect(await runBuilt(["post", "--in", path], { ...actions(), GITHUB_TOKEN: "" })).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "kcloud review: the token is missing: set the environment variable GITHUB_TOKEN; see kcloud review --help\n",
  });
});

test("a report after an apply is posted with --applied only, and no other report is", async () => {
  const applied = file("applied.json", appliedWith(0));
  const main = (args: readonly string[]) => withExitCode("review", () => postReport(args));
  const post = (...args: string[]) => runMain(main, ["--in", ...args], actions());
  expect(await post(applied, "--dry-run")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is a report after an apply: --applied posts it."),
  });
  expect(await post(file("report.json", reportWith()), "--applied")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is no report after an apply: kcloud review applied writes one"),
  });
});
