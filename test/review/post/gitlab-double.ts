import type { Double, DoubleReply, DoubleRequest } from "./double.ts";

/** Double of GitLab's API, from its documents: the routes that `kcloud review post` uses, with their limits. */

export interface GitlabDouble extends Double {
  readonly request: {
    sha: string;
    state: "opened" | "closed" | "merged" | "locked";
    isLocked: boolean;
    isFork: boolean;
    labels: string[];
    /** Commit that the merge made. */
    mergeCommit: string;
  };
  readonly notes: {
    readonly id: number;
    body: string;
    readonly author: { readonly username: string };
    readonly system: boolean;
  }[];
  readonly statuses: {
    readonly sha: string;
    readonly name: string;
    state: string;
    description: string;
  }[];
  /** Role of the token's account: a guest may not write. */
  canWrite: boolean;
  note(username: string, body: string, isSystem?: boolean): void;
}

export const gitlabToken = "canary-token-gL8kW4";

export function gitlabDouble(
  api = "https://gitlab.test/api/v4",
  { username = "project_1_bot", pageSize = 100 }: { username?: string; pageSize?: number } = {},
): GitlabDouble {
  let lastId = 500;
  const root = `${new URL(api).pathname.replace(/\/$/, "")}/projects/acme%2Finfra`;
  const missing: DoubleReply = { status: 404, body: { message: "404 Not Found" } };
  const forbidden: DoubleReply = { status: 403, body: { message: "403 Forbidden" } };
  const double: GitlabDouble = {
    api,
    request: {
      sha: "",
      state: "opened",
      isLocked: false,
      isFork: false,
      labels: [],
      mergeCommit: "f".repeat(40),
    },
    notes: [],
    statuses: [],
    canWrite: true,
    note(author, body, system = false) {
      double.notes.push({ id: ++lastId, body, author: { username: author }, system });
    },
    answer(request) {
      // A token of a job is not accepted by these routes.
      if (request.headers["private-token"] !== gitlabToken)
        return { status: 401, body: { message: "401 Unauthorized" } };
      if (request.url.pathname.endsWith("/user")) return { status: 200, body: { id: 1, username } };
      if (!request.url.pathname.startsWith(`${root}/`)) return missing;
      if (request.method !== "GET" && !double.canWrite) return forbidden;
      return handle(request, request.url.pathname.slice(root.length));
    },
  };

  function handle({ method, url, body }: DoubleRequest, path: string): DoubleReply {
    const { request, notes, statuses } = double;
    if (path === "/merge_requests/7") {
      if (method === "PUT") {
        const split = (value: unknown): string[] => (typeof value === "string" ? value.split(",") : []);
        if (body.add_labels === undefined && body.remove_labels === undefined)
          return {
            status: 400,
            body: { error: "title, add_labels, … are missing, at least one parameter must be provided" },
          };
        const kept = request.labels.filter((label) => !split(body.remove_labels).includes(label));
        request.labels = [...new Set([...kept, ...split(body.add_labels)])];
      }
      return {
        status: 200,
        body: {
          iid: 7,
          sha: request.sha,
          state: request.state,
          discussion_locked: request.isLocked || null,
          source_project_id: request.isFork ? 2 : 1,
          target_project_id: 1,
          labels: request.labels,
        },
      };
    }
    if (path === `/repository/commits/${request.mergeCommit}/merge_requests`)
      return {
        status: 200,
        body: [
          { iid: 7, state: request.state, merge_commit_sha: request.mergeCommit, squash_commit_sha: null },
        ],
      };
    if (/^\/repository\/commits\/[0-9a-f]{40}\/merge_requests$/.test(path)) return { status: 200, body: [] };
    if (path === "/merge_requests/7/notes") {
      if (method === "POST") {
        const problem = noteProblem(body);
        if (problem !== undefined) return problem;
        double.note(username, `${body.body}`.trim());
        return { status: 201, body: notes.at(-1) };
      }
      const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 20), 100);
      const number = Number(url.searchParams.get("page") ?? 1);
      const hasNext = number * size < notes.length;
      return {
        status: 200,
        body: notes.slice((number - 1) * size, number * size),
        headers: { "x-next-page": hasNext ? `${number + 1}` : "" },
      };
    }
    const id = /^\/merge_requests\/7\/notes\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const index = notes.findIndex((note) => `${note.id}` === id);
      const note = notes[index];
      if (note === undefined) return missing;
      if (note.author.username !== username) return forbidden;
      if (method === "DELETE") {
        notes.splice(index, 1);
        return { status: 204 };
      }
      const problem = noteProblem(body);
      if (problem !== undefined) return problem;
      note.body = `${body.body}`.trim();
      return { status: 200, body: note };
    }
    const sha = /^\/statuses\/([0-9a-f]{40})$/.exec(path)?.[1];
    if (method === "POST" && sha !== undefined) {
      const { state, name, description = "" } = body;
      if (!["pending", "running", "success", "failed", "canceled", "skipped"].includes(`${state}`))
        return { status: 400, body: { error: "state does not have a valid value" } };
      if (`${description}`.length > 255)
        return { status: 400, body: { message: { description: ["is too long"] } } };
      const known = statuses.find((one) => one.sha === sha && one.name === name);
      if (known?.state === state)
        return { status: 400, body: { message: `Cannot transition status via :drop from :${state}` } };
      if (known === undefined)
        statuses.push({ sha, name: `${name}`, state: `${state}`, description: `${description}` });
      else Object.assign(known, { state: `${state}`, description: `${description}` });
      return { status: 201, body: {} };
    }
    return missing;
  }
  return double;
}

function noteProblem({ body }: DoubleRequest["body"]): DoubleReply | undefined {
  if (typeof body !== "string" || body.trim() === "")
    return { status: 400, body: { error: "body is missing" } };
  return body.length > 1_000_000
    ? { status: 400, body: { message: { note: ["is too long (maximum is 1000000 characters)"] } } }
    : undefined;
}
