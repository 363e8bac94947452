import { readFileSync } from "node:fs";
import * as z from "zod";
import { UsageError } from "../../command/argument.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { githubHost } from "./github.ts";
import { gitlabHost } from "./gitlab.ts";
import type { Host, RequestKey } from "./host.ts";

/** Request to post to, from options and the variables of CI systems. */

/** Options that name a request; undefined for those of the CI system. */
export interface TargetOptions {
  readonly host: "github" | "gitlab" | undefined;
  readonly apiUrl: string | undefined;
  readonly repository: string | undefined;
  readonly request: string | undefined;
  readonly revision: string | undefined;
  /** True for a report after the apply, which is posted to a merged request. */
  readonly isApplied?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Target {
  readonly name: "GitHub" | "GitLab";
  /** Variable of the token, as messages name it. */
  readonly variable: string;
  /** Permissions that the token needs. */
  readonly permissions: string;
  /** Revision that was reviewed or applied. */
  readonly revision: string;
  readonly host: Host;
}

/** Returns the request to post to. Throws `UsageError` if something is unknown. */
export function targetOf(
  options: TargetOptions,
  environment: Environment,
  client: {
    readonly ports: Pick<Ports, "clock" | "foreign">;
    readonly dryRun: ((text: string) => void) | undefined;
  },
): Target {
  const host =
    options.host ??
    (environment.GITHUB_REPOSITORY ? "github" : environment.CI_API_V4_URL ? "gitlab" : undefined);
  if (host === undefined)
    throw new UsageError("the host is unknown: run this in GitHub Actions or GitLab CI, or set --host");
  return host === "github" ? github(options, environment, client) : gitlab(options, environment, client);
}

const event = z.object({
  pull_request: z.object({
    number: z.number(),
    head: z.object({ sha: z.string() }),
    merged: z.boolean().optional(),
  }),
});

function github(
  options: TargetOptions,
  environment: Environment,
  client: Parameters<typeof targetOf>[2],
): Target {
  const api = apiUrl(options.apiUrl ?? environment.GITHUB_API_URL ?? "https://api.github.com");
  const repository = options.repository ?? environment.GITHUB_REPOSITORY ?? "";
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new UsageError("--repository OWNER/NAME is required");
  const pull = pullRequestIn(environment.GITHUB_EVENT_PATH);
  const request = options.request ?? pull?.number;
  // GITHUB_SHA of an open request is a merge of head and base, which has no status on the page of the request.
  const isPushed = options.isApplied === true && (pull === undefined || pull.merged === true);
  const ofEvent = isPushed
    ? environment.GITHUB_SHA
    : request === undefined || `${request}` === `${pull?.number}`
      ? pull?.head.sha
      : undefined;
  const { key, revision } = keyOf(options, { request, noun: "pull request", revision: ofEvent });
  const token = tokenOf(environment, ["GITHUB_TOKEN"]);
  // A server of GitHub Enterprise has the path /api/v3.
  const graphql = apiUrl(
    options.apiUrl === undefined && environment.GITHUB_GRAPHQL_URL
      ? environment.GITHUB_GRAPHQL_URL
      : `${api.replace(/\/v3$/, "")}/graphql`,
  );
  return {
    name: "GitHub",
    variable: token.name,
    permissions: "checks: write, issues: write and pull-requests: write",
    revision,
    host: githubHost({ ...client, api, token: token.value }, { repository, key, graphql }),
  };
}

function gitlab(
  options: TargetOptions,
  environment: Environment,
  client: Parameters<typeof targetOf>[2],
): Target {
  const api = apiUrl(options.apiUrl ?? environment.CI_API_V4_URL ?? "https://gitlab.com/api/v4");
  const { CI_MERGE_REQUEST_PROJECT_ID: target, CI_PROJECT_ID: current } = environment;
  const project = options.repository ?? (target || current) ?? "";
  if (project === "") throw new UsageError("--repository PROJECT is required");
  const request = options.request ?? environment.CI_MERGE_REQUEST_IID;
  // A pipeline for merged results runs on a commit of its own.
  const { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: source, CI_COMMIT_SHA: commit } = environment;
  const { key, revision } = keyOf(options, { request, noun: "merge request", revision: source || commit });
  const token = tokenOf(environment, ["GITLAB_TOKEN", "CI_JOB_TOKEN"]);
  const isOwn = project === current && commit?.toLowerCase() === revision;
  const pipeline = isOwn && environment.CI_PIPELINE_ID ? Number(environment.CI_PIPELINE_ID) : undefined;
  const tokenHeader = token.name === "CI_JOB_TOKEN" ? "job-token" : "private-token";
  return {
    name: "GitLab",
    variable: token.name,
    permissions:
      "the scope api and the role Developer; CI_JOB_TOKEN cannot write comments, so set GITLAB_TOKEN",
    revision,
    host: gitlabHost({ ...client, api, token: token.value }, { project, key, pipeline, tokenHeader }),
  };
}

/** Returns the pull request of the event that started a workflow; undefined for another event. */
function pullRequestIn(path: string | undefined): z.infer<typeof event>["pull_request"] | undefined {
  if (!path) return undefined;
  try {
    return event.safeParse(JSON.parse(readFileSync(path, "utf8"))).data?.pull_request;
  } catch {
    return undefined;
  }
}

/** Returns the request to post to, and the revision. A report after the apply finds the merged request by its revision. */
function keyOf(
  options: TargetOptions,
  {
    request,
    noun,
    revision,
  }: {
    readonly request: string | number | undefined;
    readonly noun: string;
    readonly revision: string | undefined;
  },
): { readonly key: RequestKey; readonly revision: string } {
  const isSearched = options.isApplied === true && (request === undefined || request === "");
  const number = isSearched ? undefined : numberOf(request, noun);
  const hash = revisionOf(options.revision ?? revision, options.isApplied === true ? "applied" : "reviewed");
  return { key: number === undefined ? { mergedBy: hash } : { number }, revision: hash };
}

function numberOf(value: string | number | undefined, kind: string): number {
  const number = /^[1-9]\d{0,8}$/.test(`${value}`) ? Number(value) : undefined;
  if (number !== undefined) return number;
  throw new UsageError(
    `the number of the ${kind} is unknown: run this for a ${kind}, or set --request NUMBER`,
  );
}

function revisionOf(value: string | undefined, word: string): string {
  if (value !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(value)) return value.toLowerCase();
  throw new UsageError(`the ${word} revision is unknown: set --revision to the full hash of its commit`);
}

/** Returns the base URL of an API. Throws `UsageError` for one that would send the token in clear text. */
function apiUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal)))
    throw new UsageError("--api-url must be an https URL");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new UsageError("--api-url must be a URL without credentials, query and fragment");
  return url.href.replace(/\/+$/, "");
}

function tokenOf(environment: Environment, names: readonly string[]): { name: string; value: string } {
  const name = names.find((one) => environment[one]);
  const value = environment[name ?? ""]?.trim() ?? "";
  if (name === undefined || value === "")
    throw new UsageError(`the token is missing: set the environment variable ${names.join(" or ")}`);
  if (!/^[\x21-\x7e]+$/.test(value)) throw new UsageError(`${name} has characters that no token has`);
  return { name, value };
}
