import * as z from "zod";
import { redactor } from "../../provider/client/client.ts";
import type { Ports, Reply } from "../../provider/platform/ports.ts";
import { onOneLine } from "../report/value.ts";

/** Client of the HTTP API of a host. */

/** Error of a request, with a text for users that does not contain the token. */
export class HostError extends Error {
  /** Status of the response; undefined without a usable response. */
  readonly status: number | undefined;
  /** True if the request may have had an effect although it failed. */
  readonly isAmbiguous: boolean;

  constructor(
    message: string,
    { status, isAmbiguous = false }: { status?: number; isAmbiguous?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.isAmbiguous = isAmbiguous;
  }
}

/** Request to a host. */
export interface HostRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** URL below the base of the API: an encoded path, with a query. */
  readonly path: string;
  readonly body?: object;
  /** True for a request that changes nothing although its method is POST. */
  readonly isRead?: boolean;
  /** True if a repetition has no further effect. Default: true for every method but POST. */
  readonly isRepeatable?: boolean;
}

export interface HostResponse {
  /** JSON; undefined for an empty body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Name and value of a header. */
export type Header = readonly [name: string, value: string];

export interface ClientOptions {
  readonly ports: Pick<Ports, "clock" | "foreign">;
  /** Name of the host in messages. */
  readonly name: string;
  /** Base URL of the API, without a slash at the end. */
  readonly api: string;
  readonly token: string;
  /** Returns the header that contains the token. */
  readonly authorization: (token: string) => Header;
  readonly headers: Readonly<Record<string, string>>;
  /** Receives each request as text, with the token masked; a request that changes something is then not sent. */
  readonly dryRun: ((text: string) => void) | undefined;
}

export interface HostClient {
  /** Sends a request. Throws `HostError`. With `dryRun`, a request that changes something has an empty response. */
  send(request: HostRequest): Promise<HostResponse>;
  /** Sends a request and parses the body of its response. Throws `HostError`. */
  read<T>(request: HostRequest, schema: z.ZodType<T>): Promise<T>;
  /** Reads a list in pages; `next` returns the path of the page after a response. Throws `HostError`. */
  readPages<T>(
    path: string,
    schema: z.ZodType<readonly T[]>,
    next: (headers: Readonly<Record<string, string>>) => string | undefined,
  ): Promise<readonly T[]>;
}

/** Limits of one request: attempts, the time for each, and the longest pause that a host may ask for, in ms. */
const [mostAttempts, timeout, longestPause] = [4, 30_000, 60_000];

/** Maximum number of pages of a list, and of redirects of a request. */
const [mostPages, mostRedirects] = [50, 3];

export function hostClient(options: ClientOptions): HostClient {
  const { ports, name, api, token, dryRun } = options;
  const redact = redactor([token]);
  const [tokenHeader, tokenValue] = options.authorization(token);
  const fail = (
    request: HostRequest,
    problem: string,
    more: { status?: number; isAmbiguous?: boolean } = {},
  ) => new HostError(onOneLine(redact(`${request.method} ${request.path} of ${name} ${problem}`)), more);

  /** Sends a request once, and follows redirects within the origin of the API. */
  async function exchange(request: HostRequest): Promise<Reply> {
    let url = `${api}${request.path}`;
    for (let redirects = 0; ; redirects++) {
      const reply = await sendWithin(ports, {
        method: request.method,
        url,
        headers: {
          ...options.headers,
          [tokenHeader]: tokenValue,
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      if (reply.kind !== "answer" || ![301, 302, 303, 307, 308].includes(reply.status)) return reply;
      const { status, headers } = reply;
      const target = URL.parse(headers.location ?? "", url);
      if (target === null || target.origin !== new URL(api).origin)
        throw fail(
          request,
          `is redirected (${status}) to ${target === null ? "no URL" : `another host, ${target.host}`}, which does not get the token. Set --api-url to the URL of the API.`,
          { status },
        );
      if (redirects === mostRedirects)
        throw fail(request, `is redirected more than ${mostRedirects} times.`, { status });
      if (request.method !== "GET" && status < 307)
        throw fail(
          request,
          `is redirected (${status}) to ${target.pathname}. Set --repository to the present name.`,
          {
            status,
          },
        );
      url = target.href;
    }
  }

  async function send(request: HostRequest): Promise<HostResponse> {
    const changes = request.method !== "GET" && request.isRead !== true;
    dryRun?.(redact(describe(request, api, tokenHeader)));
    if (dryRun !== undefined && changes) return { body: undefined, headers: {} };
    const { isRepeatable = !changes || request.method !== "POST" } = request;
    for (let attempt = 1; ; attempt++) {
      const reply = await exchange(request);
      const pause = pauseAfter(reply, attempt, ports.clock.wall());
      const isRefused =
        reply.kind === "unsent" ||
        (reply.kind === "answer" && (reply.status === 429 || reply.status === 403));
      if (pause === undefined || attempt === mostAttempts || !(isRepeatable || isRefused))
        return responseOf(request, reply);
      if (pause > longestPause)
        throw fail(
          request,
          `is limited by the host for ${Math.ceil(pause / 1000)} s, more than the ${longestPause / 1000} s that this command waits. Run it again later.`,
          reply.kind === "answer" ? { status: reply.status } : {},
        );
      await ports.clock.sleep(pause);
    }
  }

  function responseOf(request: HostRequest, reply: Reply): HostResponse {
    const changes = request.method !== "GET" && request.isRead !== true;
    if (reply.kind !== "answer")
      throw fail(request, `got no response: ${reply.reason}.`, {
        isAmbiguous: changes && reply.kind === "lost",
      });
    const { status, headers, body, cut } = reply;
    const isSuccess = status >= 200 && status < 300;
    if (!isSuccess)
      throw fail(request, `failed with ${status}${reasonIn(body)}.`, {
        status,
        isAmbiguous: changes && status >= 500,
      });
    if (body.trim() === "" && !cut) return { body: undefined, headers };
    try {
      if (cut) throw new SyntaxError("truncated");
      return { body: JSON.parse(body), headers };
    } catch {
      const type = headers["content-type"]?.split(";")[0] ?? "no content type";
      throw fail(
        request,
        `got a response that is not JSON (${status}, ${type}). Is ${api} the URL of the API?`,
        {
          status,
          isAmbiguous: changes,
        },
      );
    }
  }

  function parsed<T>(request: HostRequest, body: unknown, schema: z.ZodType<T>): T {
    const result = schema.safeParse(body);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const place = issue?.path.join(".") || "the body";
    throw fail(
      request,
      `got JSON of another form: ${place} is not as documented. Is ${api} the URL of the API?`,
    );
  }

  return {
    send,
    read: async (request, schema) => parsed(request, (await send(request)).body, schema),
    async readPages(first, schema, next) {
      const items = [];
      const known = new Set<string>();
      for (let path: string | undefined = first; path !== undefined; ) {
        const request: HostRequest = { method: "GET", path };
        if (known.has(path)) throw fail(request, "lists a page twice: its pages form a loop.");
        if (known.size === mostPages) throw fail(request, `has more than ${mostPages} pages.`);
        known.add(path);
        const { body, headers } = await send(request);
        items.push(...parsed(request, body, schema));
        path = next(headers);
      }
      return items;
    },
  };
}

/** Sends a request once, with a deadline. */
async function sendWithin(
  { clock, foreign }: ClientOptions["ports"],
  request: Parameters<typeof foreign.send>[0],
): Promise<Reply> {
  const [deadline, finished] = [new AbortController(), new AbortController()];
  clock.sleep(timeout, finished.signal).then(
    () => deadline.abort(),
    () => undefined,
  );
  try {
    return await foreign.send(request, deadline.signal);
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
    return { kind: "lost", reason: `it took longer than ${timeout / 1000} s` };
  } finally {
    finished.abort();
  }
}

/** Returns the pause in ms before a repetition; undefined for a final response. */
function pauseAfter(reply: Reply, attempt: number, now: number): number | undefined {
  const standard = 1000 * 2 ** (attempt - 1);
  if (reply.kind !== "answer") return standard;
  const { status, headers } = reply;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const isUsedUp = headers["x-ratelimit-remaining"] === "0";
  const reset = isUsedUp ? Number(headers["x-ratelimit-reset"]) * 1000 - now : Number.NaN;
  const delay = [seconds * 1000, reset].find(Number.isFinite);
  // GitHub limits with 403, too.
  if (status === 429 || (status === 403 && delay !== undefined)) return Math.max(0, delay ?? standard);
  return [500, 502, 503, 504].includes(status) ? Math.max(0, delay ?? standard) : undefined;
}

const failure = z.object({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.array(z.unknown()).optional(),
});

/** Returns what a failed response says, in quotes; empty for a body of another form. */
function reasonIn(body: string): string {
  try {
    const { message, error, errors = [] } = failure.parse(JSON.parse(body));
    const texts = [message ?? error, ...errors.slice(0, 3)].flatMap((part) =>
      part === undefined ? [] : [typeof part === "string" ? part : JSON.stringify(part)],
    );
    return texts.length === 0
      ? ""
      : `: ${onOneLine(texts.join("; ")).slice(0, 300).toWellFormed().replace(/\.+$/, "")}`;
  } catch {
    return "";
  }
}

/** Returns a request as text, without the token. */
const describe = ({ method, path, body }: HostRequest, api: string, tokenHeader: string): string =>
  [
    `${method} ${api}${path}`,
    `${tokenHeader}: ***`,
    ...(body === undefined ? [] : [JSON.stringify(body, null, 1)]),
    "",
  ].join("\n");

/** Returns the URL of the next page in a Link header as a path below the API; undefined for the last page. */
export function nextLink(api: string): (headers: Readonly<Record<string, string>>) => string | undefined {
  return ({ link = "" }) => {
    const url = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
    if (url === undefined) return undefined;
    if (url.startsWith(`${api}/`)) return url.slice(api.length);
    // GitHub writes the number of the repository in place of its name, but below the same base.
    throw new HostError(`the next page is at another URL than the API: ${onOneLine(url).slice(0, 200)}`);
  };
}
