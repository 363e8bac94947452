import * as z from "zod";
import { budgets } from "../render/markdown.ts";
import { type ClientOptions, HostError, hostClient } from "./client.ts";
import { cut } from "./github.ts";
import { type Host, once, onlyRequest, type RequestKey } from "./host.ts";

/** Client of GitLab: the REST API of version 4. */

const user = z.object({ username: z.string() });

const mergeRequest = z.object({
  sha: z.string(),
  state: z.string(),
  discussion_locked: z.boolean().nullish(),
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  labels: z.array(z.string()),
});

const requestsOfCommit = z.array(
  z.object({
    iid: z.number(),
    state: z.string(),
    merge_commit_sha: z.string().nullish(),
    squash_commit_sha: z.string().nullish(),
  }),
);

const notes = z.array(
  z.object({
    id: z.number(),
    body: z.string(),
    system: z.boolean().optional(),
    author: z.object({ username: z.string() }),
  }),
);

/** Maximum length of the description of a status, in characters. */
const longestDescription = 255;

/** Where the merge request is. */
export interface GitlabTarget {
  /** Number or path of the project. */
  readonly project: string;
  readonly key: RequestKey;
  /** Pipeline of the reviewed revision in which this runs: a commit may have several, each with statuses of its own. */
  readonly pipeline: number | undefined;
  /** Name of the header that contains the token. */
  readonly tokenHeader: "private-token" | "job-token";
}

export function gitlabHost(
  options: Pick<ClientOptions, "ports" | "api" | "token" | "dryRun">,
  { project, key, pipeline, tokenHeader }: GitlabTarget,
): Host {
  const client = hostClient({
    ...options,
    name: "GitLab",
    authorization: (token) => [tokenHeader, token],
    headers: { accept: "application/json", "user-agent": "kcloud" },
  });
  const root = `/projects/${encodeURIComponent(project)}`;
  const request = once(async (): Promise<string> => {
    if ("number" in key) return `${root}/merge_requests/${key.number}`;
    const path = `${root}/repository/commits/${key.mergedBy}/merge_requests`;
    const found = await client.read({ method: "GET", path }, requestsOfCommit);
    const merged = found.filter(({ state }) => state === "merged");
    const candidates = merged.map(({ iid, merge_commit_sha: merge, squash_commit_sha: squash }) => ({
      number: iid,
      isMerge: merge === key.mergedBy || squash === key.mergedBy,
    }));
    return `${root}/merge_requests/${onlyRequest(candidates, key.mergedBy, "merge request")}`;
  });

  return {
    budget: budgets.gitlab,
    account: async () => (await client.read({ method: "GET", path: "/user" }, user)).username,
    async request() {
      const found = await client.read({ method: "GET", path: await request() }, mergeRequest);
      return {
        head: found.sha,
        state: found.state === "merged" ? "merged" : found.state === "opened" ? "open" : "closed",
        isLocked: found.discussion_locked === true,
        isFork: found.source_project_id !== found.target_project_id,
        labels: found.labels,
        mergeRevision: undefined,
      };
    },
    async comments() {
      const first = `${await request()}/notes?sort=asc&order_by=created_at&per_page=100`;
      const found = await client.readPages(first, notes, ({ "x-next-page": page = "" }) =>
        page === "" ? undefined : `${first}&page=${encodeURIComponent(page)}`,
      );
      return found
        .filter(({ system }) => system !== true)
        .map(({ id, body, author }) => ({ id, author: author.username, body }));
    },
    async create(body) {
      await client.send({ method: "POST", path: `${await request()}/notes`, body: { body } });
    },
    async update(id, body) {
      await client.send({ method: "PUT", path: `${await request()}/notes/${id}`, body: { body } });
    },
    async remove(id) {
      await client.send({ method: "DELETE", path: `${await request()}/notes/${id}` });
    },
    async setStatus({ revision, name, hasPassed, line, url }) {
      const state = hasPassed ? "success" : "failed";
      try {
        await client.send({
          method: "POST",
          path: `${root}/statuses/${revision}`,
          isRepeatable: true,
          body: {
            state,
            name,
            description: cut(line, longestDescription),
            ...(url === undefined ? {} : { target_url: url }),
            ...(pipeline === undefined ? {} : { pipeline_id: pipeline }),
          },
        });
      } catch (error) {
        // GitLab rejects the state that the status has already: "Cannot transition status via :drop from :failed".
        const isSet =
          error instanceof HostError && error.status === 400 && error.message.includes(`from :${state}`);
        if (!isSet) throw error;
      }
      return "status";
    },
    // A status of GitLab holds no text of this length.
    storedComment: async () => undefined,
    async changeLabels({ added, removed }) {
      if (added.length + removed.length > 0)
        await client.send({
          method: "PUT",
          path: await request(),
          body: {
            ...(added.length === 0 ? {} : { add_labels: added.join(",") }),
            ...(removed.length === 0 ? {} : { remove_labels: removed.join(",") }),
          },
        });
    },
  };
}
