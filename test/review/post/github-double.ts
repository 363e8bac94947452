import type { Double, DoubleReply, DoubleRequest } from "./double.ts";
import { documentProblem } from "./github-document.ts";

/** Double of GitHub's API, from its documents: the routes that `kcloud review post` uses, with their limits. */

export interface GithubComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

export interface GithubCheck {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly conclusion: string;
  readonly app: { readonly slug: string };
  readonly output: { readonly title: string; readonly summary: string; readonly text: string | null };
  readonly annotations: object[];
}

type Permission = "checks" | "statuses" | "comments" | "labels";

export interface GithubDouble extends Double {
  readonly pull: {
    head: string;
    state: "open" | "closed";
    merged: boolean;
    locked: boolean;
    isFork: boolean;
    labels: string[];
    /** Commit that the merge made; before the merge, a test merge. */
    mergeCommit: string;
  };
  /** Pull requests of a commit of the target branch, in addition to number 7 if its merge made the commit. */
  readonly pullsOfCommit: {
    readonly number: number;
    readonly merged_at: string | null;
    readonly merge_commit_sha: string;
  }[];
  readonly comments: GithubComment[];
  readonly checks: GithubCheck[];
  readonly statuses: { readonly sha: string; readonly state: string; readonly context: string }[];
  /** Permissions that the token lacks. */
  readonly lacking: Set<Permission>;
  /** Adds a comment of another author. */
  comment(login: string, body: string): void;
}

export const githubToken = "canary-token-hT5zX2";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Problem of a request, as a validator of the documented requests returns it; undefined for a valid one. */
export type Validate = (request: DoubleRequest, path: string) => string | undefined;

export function githubDouble(
  api = "https://api.github.test",
  {
    login = "github-actions[bot]",
    author = login,
    pageSize = 100,
    validate = documentProblem,
  }: {
    login?: string;
    /** Author of the comments that the token creates. Default: its login. */
    author?: string;
    pageSize?: number;
    validate?: Validate;
  } = {},
): GithubDouble {
  let lastId = 100;
  const slug = login.replace(/\[bot\]$/, "");
  const repo = "/repos/acme/infra";
  const double: GithubDouble = {
    api,
    pull: {
      head: "",
      state: "open",
      merged: false,
      locked: false,
      isFork: false,
      labels: [],
      mergeCommit: "f".repeat(40),
    },
    pullsOfCommit: [],
    comments: [],
    checks: [],
    statuses: [],
    lacking: new Set(),
    comment(author, body) {
      double.comments.push({ id: ++lastId, body, user: { login: author } });
    },
    answer(request) {
      const { method, headers } = request;
      const path = request.url.pathname;
      const route = `${method} ${path.replace(/\/[0-9a-f]{40}/g, "/SHA").replace(/\/\d+(?=\/|$)/g, "/N")}`;
      if (headers.authorization !== `Bearer ${githubToken}`)
        return {
          status: 401,
          body: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" },
        };
      if (!headers["user-agent"]) return { status: 403, text: "Request forbidden by administrative rules." };
      const problem = validate(request, path);
      if (problem !== undefined) return invalid(problem);
      return handle(request, route, path);
    },
  };

  const invalid = (message: string): DoubleReply => ({
    status: 422,
    body: { message: "Validation Failed", errors: [{ message }] },
  });
  const forbidden: DoubleReply = { status: 403, body: { message: "Resource not accessible by integration" } };
  const missing: DoubleReply = { status: 404, body: { message: "Not Found" } };

  function handle({ method, url, body }: DoubleRequest, route: string, path: string): DoubleReply {
    const { pull, comments, checks, statuses, lacking } = double;
    switch (route) {
      case "POST /graphql":
        return body.query === "query { viewer { login } }"
          ? { status: 200, body: { data: { viewer: { login } } } }
          : { status: 200, body: { errors: [{ message: "Parse error" }] } };
      case `GET ${repo}/pulls/N`:
        if (!path.endsWith("/7")) return missing;
        return {
          status: 200,
          body: {
            number: 7,
            state: pull.state,
            merged: pull.merged,
            locked: pull.locked,
            head: { sha: pull.head, repo: { id: pull.isFork ? 2 : 1 } },
            base: { repo: { id: 1 } },
            labels: pull.labels.map((name) => ({ name })),
            merge_commit_sha: pull.mergeCommit,
          },
        };
      case `GET ${repo}/commits/SHA/pulls`: {
        const own = {
          number: 7,
          merged_at: pull.merged ? "2027-01-01T00:00:00Z" : null,
          merge_commit_sha: pull.mergeCommit,
        };
        const isOwn = path.includes(pull.mergeCommit) || path.includes(pull.head);
        return { status: 200, body: [...(isOwn ? [own] : []), ...double.pullsOfCommit] };
      }
      case `GET ${repo}/issues/N/comments`:
        return page(url, comments);
      case `POST ${repo}/issues/N/comments`: {
        if (lacking.has("comments")) return forbidden;
        if (pull.locked)
          return { status: 403, body: { message: "Unable to create comment because issue is locked." } };
        const problem = bodyProblem(body);
        if (problem !== undefined) return problem;
        double.comment(author, body.body as string);
        return { status: 201, body: comments.at(-1) };
      }
      case `PATCH ${repo}/issues/comments/N`: {
        if (lacking.has("comments")) return forbidden;
        const comment = comments.find(({ id }) => path.endsWith(`/${id}`));
        if (comment === undefined) return missing;
        const problem = bodyProblem(body);
        if (problem !== undefined) return problem;
        comment.body = body.body as string;
        return { status: 200, body: comment };
      }
      case `DELETE ${repo}/issues/comments/N`: {
        if (lacking.has("comments")) return forbidden;
        const index = comments.findIndex(({ id }) => path.endsWith(`/${id}`));
        if (index < 0) return missing;
        comments.splice(index, 1);
        return { status: 204 };
      }
      case `POST ${repo}/check-runs`: {
        if (lacking.has("checks")) return forbidden;
        if (!isText(body.name) || !isText(body.head_sha)) return invalid("name and head_sha are required");
        if (body.status === "completed" && !isText(body.conclusion)) return invalid("conclusion is required");
        const problem = outputProblem(body.output);
        if (problem !== undefined) return invalid(problem);
        const { annotations, ...output } = body.output as GithubCheck["output"] & { annotations: object[] };
        const check = {
          id: ++lastId,
          name: body.name,
          head_sha: body.head_sha,
          conclusion: body.conclusion as string,
          app: { slug },
          output,
          annotations: [...annotations],
        };
        checks.unshift(check);
        return { status: 201, body: { id: check.id } };
      }
      case `PATCH ${repo}/check-runs/N`: {
        if (lacking.has("checks")) return forbidden;
        const check = checks.find(({ id }) => path.endsWith(`/${id}`));
        if (check === undefined) return missing;
        const problem = outputProblem(body.output);
        if (problem !== undefined) return invalid(problem);
        check.annotations.push(...(body.output as { annotations: object[] }).annotations);
        return { status: 200, body: { id: check.id } };
      }
      case `GET ${repo}/commits/SHA/check-runs`: {
        const found = checks.filter(
          ({ name, head_sha }) => name === url.searchParams.get("check_name") && path.includes(head_sha),
        );
        return { status: 200, body: { total_count: found.length, check_runs: found } };
      }
      case `POST ${repo}/statuses/SHA`: {
        if (lacking.has("statuses")) return forbidden;
        if (!["error", "failure", "pending", "success"].includes(`${body.state}`))
          return invalid("state is not valid");
        if (`${body.description ?? ""}`.length > 140)
          return invalid("description is too long (maximum is 140 characters)");
        statuses.push({
          sha: path.split("/").at(-1) ?? "",
          state: `${body.state}`,
          context: `${body.context}`,
        });
        return { status: 201, body: {} };
      }
      case `POST ${repo}/issues/N/labels`:
        if (lacking.has("labels")) return forbidden;
        if (!Array.isArray(body.labels)) return invalid("labels is required");
        pull.labels = [...new Set([...pull.labels, ...body.labels])];
        return { status: 200, body: pull.labels.map((name) => ({ name })) };
    }
    if (method === "DELETE" && path.startsWith(`${repo}/issues/7/labels/`)) {
      const name = decodeURIComponent(path.split("/").at(-1) ?? "");
      if (!pull.labels.includes(name)) return missing;
      pull.labels = pull.labels.filter((one) => one !== name);
      return { status: 200, body: [] };
    }
    return missing;
  }

  function bodyProblem({ body }: DoubleRequest["body"]): DoubleReply | undefined {
    if (!isText(body)) return invalid("body can't be blank");
    return body.length > 65_536 ? invalid("body is too long (maximum is 65536 characters)") : undefined;
  }

  function page(url: URL, items: readonly object[]): DoubleReply {
    const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 30), 100);
    const number = Number(url.searchParams.get("page") ?? 1);
    const next = new URL(url);
    next.searchParams.set("page", `${number + 1}`);
    // GitHub writes the number of the repository in links.
    next.pathname = next.pathname.replace(repo, "/repositories/1");
    if (number * size >= items.length) return { status: 200, body: items.slice((number - 1) * size) };
    return {
      status: 200,
      body: items.slice((number - 1) * size, number * size),
      headers: { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` },
    };
  }
  // Links name the repository by its number.
  const { answer } = double;
  double.answer = (request) => {
    const url = new URL(request.url);
    url.pathname = url.pathname.replace(/^\/repositories\/1(?=\/)/, repo);
    return answer({ ...request, url });
  };
  return double;
}

/** Returns what GitHub refuses in the output of a check; undefined for a valid one. */
function outputProblem(output: unknown): string | undefined {
  const { title, summary, text, annotations } = (output ?? {}) as Readonly<Record<string, unknown>>;
  if (!isText(title) || !isText(summary)) return "title and summary are required";
  if (summary.length > 65_535 || `${text ?? ""}`.length > 65_535) return "text exceeds 65535 characters";
  if (!Array.isArray(annotations)) return undefined;
  if (annotations.length > 50) return "annotations exceeds a maximum quantity of 50";
  const wrong = annotations.find(
    (one) =>
      !isText(one.path) ||
      !(one.start_line >= 1) ||
      !(one.end_line >= one.start_line) ||
      !["notice", "warning", "failure"].includes(one.annotation_level) ||
      !isText(one.message) ||
      one.message.length > 64_000 ||
      `${one.title ?? ""}`.length > 255,
  );
  return wrong === undefined
    ? undefined
    : `an annotation is not valid: ${JSON.stringify(wrong).slice(0, 200)}`;
}
