import type { Transport } from "../../../provider/platform/ports.ts";
import { type PostOptions, post } from "../../../review/post/post.ts";
import { targetOf } from "../../../review/post/target.ts";
import type { Report, ReportFinding } from "../../../review/report/report.ts";
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

export interface Posting {
  readonly double: Double;
  readonly report: Report;
  readonly revision: string;
  readonly transport?: Transport;
  readonly options?: Partial<PostOptions>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly dryRun?: (text: string) => void;
  readonly clock?: ReturnType<typeof testClock>;
  readonly fault?: Fault;
  readonly log?: string[];
}

/** Posts a report to a double. Returns the lines of the command. */
export async function postTo({ double, report, revision, ...more }: Posting): Promise<string[]> {
  const { clock = testClock(), fault, log = [], dryRun } = more;
  const transport = more.transport ?? transportTo(double, { clock, log, ...(fault && { fault }) });
  const ports = { clock, foreign: transport };
  const host = double.api.includes("/v4") ? "gitlab" : "github";
  const target = targetOf(
    { host, apiUrl: double.api, repository: "acme/infra", request: "7", revision },
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
  bodies(): readonly string[];
  comment(author: string, body: string): void;
  labels(): readonly string[];
  /** Statuses, each "revision state". */
  statuses(): readonly string[];
  readonly account: string;
}

const ofGithub = (double: GithubDouble): HostDouble => ({
  double,
  setHead(revision) {
    double.pull.head = revision;
  },
  bodies: () => double.comments.map(({ body }) => body),
  comment: double.comment,
  labels: () => double.pull.labels,
  statuses: () => double.checks.map(({ head_sha, conclusion }) => `${head_sha} ${conclusion}`),
  account: "github-actions[bot]",
});

const ofGitlab = (double: GitlabDouble): HostDouble => ({
  double,
  setHead(revision) {
    double.request.sha = revision;
  },
  bodies: () => double.notes.map(({ body }) => body),
  comment: double.note,
  labels: () => double.request.labels,
  statuses: () => double.statuses.map(({ sha, state }) => `${sha} ${state === "failed" ? "failure" : state}`),
  account: "project_1_bot",
});

export const hostDoubles: readonly (readonly [string, (pageSize?: number) => HostDouble])[] = [
  ["GitHub", (pageSize = 100) => ofGithub(githubDouble(undefined, { pageSize }))],
  ["GitLab", (pageSize = 100) => ofGitlab(gitlabDouble(undefined, { pageSize }))],
];
