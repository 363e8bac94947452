import type { Endpoint } from "./endpoint.ts";
import type { Failure } from "./errors.ts";
import { parseHttpDate, type Reply } from "./ports.ts";

/** What one exchange came to (reliability 3.1): an answer of the promised shape, or one named way of failing. */
export type Outcome<A> =
  | { readonly kind: "executed"; readonly answer: A }
  | {
      readonly kind: Failure;
      readonly said: string;
      readonly status?: number;
      readonly requestId?: string;
      readonly retryAfter?: number;
    };

/** Statuses with which this API says that it did nothing and will not (contract 1.6). */
const refusals = new Set([400, 403, 404, 405, 413, 415, 422]);

/** Tells what a reply means for its endpoint. Total: whatever comes, exactly one outcome. */
export function classify<A>(endpoint: Endpoint<A>, reply: Reply, now: number): Outcome<A> {
  if (reply.kind === "unsent") return { kind: "unsent", said: reply.reason };
  if (reply.kind === "lost") return { kind: "ambiguous", said: reply.reason };
  const { status } = reply;
  const known = { status, ...requestId(reply.headers) };
  if (status >= 200 && status < 300) {
    const outcome = executed(endpoint, reply.body, reply.cut);
    return outcome.kind === "executed" ? outcome : { ...known, ...outcome };
  }
  if (isPage(reply.body)) {
    const where = status === 403 ? "blocked at the edge: " : "";
    return { ...known, kind: "ambiguous", said: `${where}a web page came instead of an answer` };
  }
  const said = saying(reply.body) ?? `the cloud answered ${status} without a word`;
  if (status === 401) return { ...known, kind: "auth", said };
  if (status === 409) return { ...known, kind: "conflict", said };
  if (status === 429) {
    const retryAfter = parseRetryAfter(reply.headers["retry-after"], now);
    return { ...known, kind: "throttled", said, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  if (status >= 300 && status < 400) return { ...known, kind: "ambiguous", said: "an unexpected redirect" };
  return { ...known, kind: refusals.has(status) ? "rejected" : "ambiguous", said };
}

function executed<A>(endpoint: Endpoint<A>, body: string, cut: boolean): Outcome<A> {
  if (endpoint.answer === undefined) return { kind: "executed", answer: undefined as A };
  if (cut) return { kind: "unreadable", said: "the answer broke off" };
  if (isPage(body))
    return { kind: "unreadable", said: "a web page came instead of an answer; is base_url right?" };
  const json = parseJson(body);
  if (json === unparsed) return { kind: "unreadable", said: "the answer is not JSON" };
  const parsed = endpoint.answer.safeParse(json);
  if (parsed.success) return { kind: "executed", answer: parsed.data };
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? `its field ${issue.path.join(".")}` : "its body";
  const what = json === undefined ? "is empty" : `is not what this API promises (${place})`;
  return { kind: "unreadable", said: `the answer ${what}` };
}

const unparsed = Symbol("unparsed");

/** By content, not by header: JSON comes as text/plain here (contract 1.1). An empty body is no value at all. */
function parseJson(body: string): unknown {
  const text = body.replace(/^\uFEFF/, "").trim();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return unparsed;
  }
}

const isPage = (body: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(body);

/** The cloud's own words in an error body whose shape no source gives (contract 17.1). */
function saying(body: string): string | undefined {
  const json = parseJson(body);
  const words = json === unparsed ? body : pick(json);
  const clean = words
    ?.replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 300);
  return clean === "" ? undefined : clean;
}

function pick(json: unknown): string | undefined {
  if (typeof json === "string") return json;
  if (Array.isArray(json)) return json.filter((item) => typeof item === "string").join("; ");
  if (typeof json !== "object" || json === null) return undefined;
  const body = json as Record<string, unknown>;
  for (const name of ["message", "error", "detail", "info", "msg"]) {
    const found = pick(body[name]);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

function requestId(headers: Readonly<Record<string, string>>): { requestId?: string } {
  const id = headers["x-request-id"] ?? headers["x-correlation-id"];
  return id === undefined ? {} : { requestId: id.replace(/[^\w.:-]/g, "").slice(0, 100) };
}

/** Milliseconds to wait; undefined unless it is one of the forms of RFC 9110 (reliability 3.8). */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000;
  const at = parseHttpDate(header);
  return at === undefined ? undefined : Math.max(0, at - now);
}
