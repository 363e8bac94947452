import * as z from "zod";
import { budgets } from "../render/markdown.ts";
import { type ClientOptions, HostError, type HostRequest, hostClient, nextLink } from "./client.ts";
import { type Annotation, type Host, once, onlyRequest, type RequestKey, type Status } from "./host.ts";

/** Client of GitHub: the REST API of version 2022-11-28, and one query of GraphQL. */

const viewer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });

const pullRequest = z.object({
  state: z.string(),
  merged: z.boolean().optional(),
  merge_commit_sha: z.string().nullish(),
  locked: z.boolean(),
  head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  base: z.object({ repo: z.object({ id: z.number() }) }),
  labels: z.array(z.object({ name: z.string() })),
});

const pullsOfCommit = z.array(
  z.object({
    number: z.number(),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
  }),
);

const comments = z.array(
  z.object({
    id: z.number(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullable(),
  }),
);

const created = z.object({ id: z.number() });

const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      head_sha: z.string(),
      app: z.object({ slug: z.string().optional() }).nullable(),
      output: z.object({ text: z.string().nullable() }),
    }),
  ),
});

/** Number of annotations that GitHub accepts in one request, and that this client sends at most. */
const [annotationsPerRequest, mostAnnotations] = [50, 150];

/** Maximum lengths of GitHub, in characters. */
const [longestDescription, longestTitle, longestMessage] = [140, 255, 10_000];

const levels = { critical: "failure", high: "failure", medium: "warning", low: "notice" } as const;

const annotationOf = ({ file, line, severity, title, text }: Annotation) => ({
  path: file,
  start_line: line,
  end_line: line,
  annotation_level: levels[severity],
  title: cut(title, longestTitle),
  message: cut(text, longestMessage),
});

/** Returns a text of at most this many characters. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Where the pull request is. */
export interface GithubTarget {
  /** Owner and name of the repository. */
  readonly repository: string;
  readonly key: RequestKey;
  /** URL of the GraphQL API. */
  readonly graphql: string;
}

export function githubHost(
  options: Pick<ClientOptions, "ports" | "api" | "token" | "dryRun">,
  { repository, key, graphql }: GithubTarget,
): Host {
  const common = {
    name: "GitHub",
    authorization: (token: string) => ["authorization", `Bearer ${token}`] as const,
    headers: {
      accept: "application/vnd.github+json",
      "user-agent": "kcloud",
      "x-github-api-version": "2022-11-28",
    },
  };
  const client = hostClient({ ...options, ...common });
  const repo = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  const nextPage = nextLink(options.api);
  const number = once(async (): Promise<number> => {
    if ("number" in key) return key.number;
    const path = `${repo}/commits/${key.mergedBy}/pulls`;
    const pulls = await client.read({ method: "GET", path }, pullsOfCommit);
    const merged = pulls.filter(({ merged_at: time }) => typeof time === "string");
    return onlyRequest(
      merged.map(({ number: one, merge_commit_sha: sha }) => ({
        number: one,
        isMerge: sha === key.mergedBy,
      })),
      key.mergedBy,
      "pull request",
    );
  });

  async function createCheck({
    revision,
    name,
    hasPassed,
    line,
    annotations,
    comment,
    url,
  }: Status): Promise<void> {
    const shown = annotations.slice(0, mostAnnotations).map(annotationOf);
    const omitted = annotations.length - shown.length;
    const output = {
      title: cut(line, longestTitle),
      summary:
        omitted === 0
          ? "The findings are in the comment of the pull request."
          : `${omitted} more findings with a place are in the comment of the pull request.`,
      text: comment,
    };
    const request: HostRequest = {
      method: "POST",
      path: `${repo}/check-runs`,
      // A second check of the same name and revision takes the place of the first.
      isRepeatable: true,
      body: {
        name,
        head_sha: revision,
        status: "completed",
        conclusion: hasPassed ? "success" : "failure",
        ...(url === undefined ? {} : { details_url: url }),
        output: { ...output, annotations: shown.slice(0, annotationsPerRequest) },
      },
    };
    const { id } = options.dryRun === undefined ? await client.read(request, created) : { id: 0 };
    if (options.dryRun !== undefined) await client.send(request);
    const parts = Array.from({ length: Math.ceil(shown.length / annotationsPerRequest) - 1 }, (_, index) =>
      shown.slice((index + 1) * annotationsPerRequest, (index + 2) * annotationsPerRequest),
    );
    for (const part of parts)
      await client.send({
        method: "PATCH",
        path: `${repo}/check-runs/${id}`,
        body: { output: { ...output, annotations: part } },
      });
  }

  return {
    budget: budgets.github,
    async account() {
      // GET /user rejects the token of a workflow; the query accepts every kind of token.
      const body = { query: "query { viewer { login } }" };
      const { data } = await hostClient({ ...options, ...common, api: graphql }).read(
        { method: "POST", path: "", body, isRead: true },
        viewer,
      );
      return data.viewer.login;
    },
    async request() {
      const found = await client.read(
        { method: "GET", path: `${repo}/pulls/${await number()}` },
        pullRequest,
      );
      const { state, merged, locked, head, base, labels, merge_commit_sha: mergeRevision } = found;
      return {
        head: head.sha,
        state: merged === true ? "merged" : state === "open" ? "open" : "closed",
        isLocked: locked,
        // The repository of a fork may be deleted.
        isFork: head.repo?.id !== base.repo.id,
        labels: labels.map(({ name }) => name),
        // Before the merge, it is that of a test merge.
        mergeRevision: merged === true ? (mergeRevision ?? undefined) : undefined,
      };
    },
    async comments() {
      const found = await client.readPages(
        `${repo}/issues/${await number()}/comments?per_page=100`,
        comments,
        nextPage,
      );
      return found.map(({ id, body, user }) => ({ id, author: user?.login ?? "", body: body ?? "" }));
    },
    async create(body) {
      await client.send({
        method: "POST",
        path: `${repo}/issues/${await number()}/comments`,
        body: { body },
      });
    },
    async update(id, body) {
      await client.send({ method: "PATCH", path: `${repo}/issues/comments/${id}`, body: { body } });
    },
    async remove(id) {
      await client.send({ method: "DELETE", path: `${repo}/issues/comments/${id}` });
    },
    async setStatus(status) {
      try {
        await createCheck(status);
        return "check";
      } catch (error) {
        // Only apps, of which the token of a workflow is one, may create checks; personal tokens may set a status.
        if (!(error instanceof HostError) || error.status !== 403) throw error;
        await client.send({
          method: "POST",
          path: `${repo}/statuses/${status.revision}`,
          isRepeatable: true,
          body: {
            state: status.hasPassed ? "success" : "failure",
            context: status.name,
            description: cut(status.line, longestDescription),
            ...(status.url === undefined ? {} : { target_url: status.url }),
          },
        });
        return "status";
      }
    },
    async storedComment(revision, name, account) {
      const path = `${repo}/commits/${revision}/check-runs?check_name=${encodeURIComponent(name)}&per_page=100`;
      try {
        const { check_runs: runs } = await client.read({ method: "GET", path }, checkRuns);
        const isOurs = ({ head_sha, app }: (typeof runs)[number]): boolean =>
          head_sha === revision && `${app?.slug}[bot]` === account;
        return runs.find(isOurs)?.output.text ?? undefined;
      } catch (error) {
        // A token that may not read checks has not created any.
        if (error instanceof HostError && (error.status === 403 || error.status === 404)) return undefined;
        throw error;
      }
    },
    async changeLabels({ added, removed }) {
      const path = `${repo}/issues/${await number()}/labels`;
      if (added.length > 0)
        await client.send({ method: "POST", path, isRepeatable: true, body: { labels: added } });
      for (const label of removed) await deleteUnlessMissing(`${path}/${encodeURIComponent(label)}`);
    },
  };

  /** Deletes an object that another job may delete at the same time. */
  async function deleteUnlessMissing(path: string): Promise<void> {
    try {
      await client.send({ method: "DELETE", path });
    } catch (error) {
      if (!(error instanceof HostError) || error.status !== 404) throw error;
    }
  }
}
