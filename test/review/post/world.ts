import type { Transport } from "../../../provider/platform/ports.ts";
import { type PostOptions, post } from "../../../review/post/post.ts";
import { targetOf } from "../../../review/post/target.ts";
import type { AppliedObject, Report, ReportFinding } from "../../../review/report/report.ts";
import { planOf } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { type Double, type Fault, testClock, transportTo } from "./double.ts";
import { type GithubDouble, githubDouble, githubToken } from "./github-double.ts";
import { type GitlabDouble, gitlabDouble, gitlabToken } from "./gitlab-double.ts";

/** A pull request or merge request number 7 of `acme/infra`, to which tests post reports. */

/** Returns the revision with this number. */
export const revisionOf = (number: number): string => number.toString(16).padStart(40, "0");

/** Returns a finding at a line of a file. */
export const finding = (number: number, more: Partial<ReportFinding> = {}): ReportFinding => ({
  fingerprint: (number * 7919).toString(16).padStart(12, "0").repeat(6).slice(0, 64),
  rule: "DATA-01",
  title: "Data is destroyed",
  severity: "critical",
  confidence: "proven",
  plan: "plan",
  address: `kcloud_volume.v${number}`,
  text: `The volume "v${number}" is deleted.`,
  remedy: "Keep the volume.",
  source: { file: "infra/main.tf", line: number + 1 },
  ...more,
});

export const findingsTo = (count: number): ReportFinding[] =>
  Array.from({ length: count }, (_, index) => finding(index));

/** Returns a report with these findings, which is blocked if there are any. */
export function reportWith(findings: readonly ReportFinding[] = [], more: Partial<Report> = {}): Report {
  const code = findings.length === 0 ? 0 : 3;
  const line = `1 plan · ${findings.length} findings`;
  return {
    ...reportOf([planOf([])]),
    findings: [...findings],
    verdict: { code, line, reasons: [], failOn: "critical" },
    ...more,
  };
}

/** Returns a report after the apply, with an object that is done and, unless the exit code is 0, one that is not. */
export function appliedWith(code: 0 | 7 | 8, report: Report = reportWith()): Report {
  const object: Omit<AppliedObject, "address" | "outcome"> = {
    ...{ plan: "plan", kind: "volume", planned: "create", steps: [], errors: [], text: "" },
  };
  const outcome = code === 7 ? "failed" : "other";
  return {
    ...report,
    verdict: {
      code,
      line: `Applied: 1 done${code === 0 ? "" : `, 1 ${outcome}`}.`,
      reasons: [],
      failOn: "none",
    },
    applied: {
      review: report.verdict,
      plans: [
        {
          ...{ name: "plan", engine: "terraform", end: code === 0 ? "succeeded" : "failed", hasState: true },
          ...{ problems: [], errors: [], warnings: [], next: [], comparedValues: 0, uncomparedValues: 0 },
        },
      ],
      objects: [
        ...(code === 0 ? [] : [{ ...object, address: "kcloud_volume.bad", outcome } as const]),
        { ...object, address: "kcloud_volume.good", outcome: "done" },
      ],
      omittedErrors: 0,
    },
  };
}

export interface Posting {
  readonly double: Double;
  readonly report: Report;
  readonly revision: string;
  readonly transport?: Transport;
  readonly options?: Partial<PostOptions>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly dryRun?: (text: string) => void;
  /** False to look for the request by the revision. Default: true. */
  readonly isNumbered?: boolean;
  readonly clock?: ReturnType<typeof testClock>;
  readonly fault?: Fault;
  readonly log?: string[];
}

/** Posts a report to a double. Returns the lines of the command. */
export async function postTo({ double, report, revision, ...more }: Posting): Promise<string[]> {
  const { clock = testClock(), fault, log = [], dryRun, isNumbered = true } = more;
  const transport = more.transport ?? transportTo(double, { clock, log, ...(fault && { fault }) });
  const ports = { clock, foreign: transport };
  const host = double.api.includes("/v4") ? "gitlab" : "github";
  const target = targetOf(
    {
      ...{ host, apiUrl: double.api, repository: "acme/infra", revision },
      request: isNumbered ? "7" : undefined,
      isApplied: report.applied !== undefined,
    },
    { GITHUB_TOKEN: githubToken, GITLAB_TOKEN: gitlabToken, ...more.environment },
    { ports, dryRun },
  );
  const options = {
    stack: "plan",
    reportUrl: undefined,
    symbols: "emoji",
    setsLabels: false,
    isDryRun: dryRun !== undefined,
  } as const;
  return post(report, { target, options: { ...options, ...more.options }, ports });
}

/** Both doubles with one interface, for tests of what both hosts do. */
export interface HostDouble {
  readonly double: Double;
  setHead(revision: string): void;
  /** Merges the request with a commit of this revision. */
  merge(revision: string): void;
  bodies(): readonly string[];
  comment(author: string, body: string): void;
  labels(): readonly string[];
  /** Statuses, each "revision state". */
  statuses(): readonly string[];
  /** Names of the statuses. */
  statusNames(): readonly string[];
  readonly account: string;
}

const ofGithub = (double: GithubDouble): HostDouble => ({
  double,
  setHead(revision) {
    double.pull.head = revision;
  },
  merge(revision) {
    Object.assign(double.pull, { state: "closed", merged: true, mergeCommit: revision });
  },
  bodies: () => double.comments.map(({ body }) => body),
  comment: double.comment,
  labels: () => double.pull.labels,
  statuses: () => double.checks.map(({ head_sha, conclusion }) => `${head_sha} ${conclusion}`),
  statusNames: () => double.checks.map(({ name }) => name),
  account: "github-actions[bot]",
});

const ofGitlab = (double: GitlabDouble): HostDouble => ({
  double,
  setHead(revision) {
    double.request.sha = revision;
  },
  merge(revision) {
    Object.assign(double.request, { state: "merged", mergeCommit: revision });
  },
  bodies: () => double.notes.map(({ body }) => body),
  comment: double.note,
  labels: () => double.request.labels,
  statuses: () => double.statuses.map(({ sha, state }) => `${sha} ${state === "failed" ? "failure" : state}`),
  statusNames: () => double.statuses.map(({ name }) => name),
  account: "project_1_bot",
});

export const hostDoubles: readonly (readonly [string, (pageSize?: number) => HostDouble])[] = [
  ["GitHub", (pageSize = 100) => ofGithub(githubDouble(undefined, { pageSize }))],
  ["GitLab", (pageSize = 100) => ofGitlab(gitlabDouble(undefined, { pageSize }))],
];
