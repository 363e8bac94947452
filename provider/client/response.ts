import type { Failure } from "../core/error.ts";
import { parseHttpDate } from "../core/time.ts";
import { attribute } from "../core/wording.ts";
import type { Endpoint } from "../definition/endpoint.ts";
import type { Reply } from "../platform/ports.ts";
import { quoted } from "./redact.ts";

/**
 * Outcome of one request (docs/reliability.md#3.1): a response that matches the endpoint's schema, or one kind of
 * failure.
 */
export type ResponseOutcome<A> =
  | { readonly kind: "executed"; readonly answer: A }
  | {
      readonly kind: Failure;
      readonly said: string;
      readonly status?: number;
      readonly requestId?: string;
      readonly retryAfter?: number;
      /** The body is cut or not JSON; the response to another attempt may be complete. */
      readonly broken?: true;
    };

/** Statuses of requests that the API did not execute and will reject again (docs/contract.md#1.6). */
const refusals = new Set([400, 403, 404, 405, 413, 415, 422]);

/**
 * Classifies a reply of an endpoint. Every possible reply has exactly one outcome.
 *
 * @param now milliseconds since 1970, for a `Retry-After` that is a date
 * @param redact removes secrets from a message of the API before the message is truncated
 */
export function classifyResponse<A>(
  endpoint: Endpoint<A>,
  reply: Reply,
  now: number,
  redact: (text: string) => string = (text) => text,
): ResponseOutcome<A> {
  if (reply.kind === "unsent") return { kind: "unsent", said: reply.reason };
  if (reply.kind === "lost") return { kind: "ambiguous", said: reply.reason };
  const { status } = reply;
  const isSuccess = status >= 200 && status < 300;
  const outcome = isSuccess
    ? executed(endpoint, reply.body, reply.cut, redact)
    : refused(endpoint, reply, now, redact);
  if (outcome.kind === "executed") return outcome;
  return { status, ...requestId(reply.headers, redact), ...outcome };
}

/** Classifies a response whose status is not 2xx. */
function refused(
  { semantics }: Endpoint,
  { status, headers, body }: Extract<Reply, { kind: "answer" }>,
  now: number,
  redact: (text: string) => string,
): ResponseOutcome<never> {
  if (isPage(body)) {
    const where = status === 403 ? "blocked by a gateway: " : "";
    return { kind: "ambiguous", said: `${where}the response is a web page` };
  }
  const words = messageIn(body, redact);
  if (status === 401) return { kind: "auth", said: words ?? "without a message" };
  const said =
    words === undefined ? `the API answered ${status} without a message` : `the API reports: ${words}`;
  // 412 answers a condition that requires the object not to exist.
  if (status === 409 || status === 412) return { kind: "conflict", said };
  const isMetered = semantics === "metered";
  const isSentOnce = isMetered || semantics === "cancel";
  if (status === 429 || (status === 503 && isMetered && isObject(body))) {
    const retryAfter = parseRetryAfter(headers["retry-after"], now);
    // A proxy may answer so after the request was executed: for a request that is not repeated that is no proof.
    if (isSentOnce && retryAfter === undefined && !isObject(body)) return { kind: "ambiguous", said };
    return { kind: "throttled", said, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  if (status >= 300 && status < 400) return { kind: "ambiguous", said: "an unexpected redirect" };
  return { kind: refusals.has(status) ? "rejected" : "ambiguous", said };
}

function executed<A>(
  endpoint: Endpoint<A>,
  body: string,
  cut: boolean,
  redact: (text: string) => string,
): ResponseOutcome<A> {
  if (isPage(body))
    return {
      kind: "unreadable",
      said: `the response is a web page: ${attribute("baseUrl")} may be wrong`,
    };
  // An intermediary may answer so without passing the request on.
  if (cut) return { kind: "unreadable", said: "the response ended early", broken: true };
  const json = parseJson(body);
  const refusal = statedFailure(endpoint, json, redact);
  if (refusal !== undefined) return { kind: "ambiguous", said: refusal };
  if (endpoint.answer === undefined) return { kind: "executed", answer: undefined as A };
  if (json === unparsed) return { kind: "unreadable", said: "the response is not JSON", broken: true };
  const parsed = endpoint.answer.safeParse(json);
  if (parsed.success) return { kind: "executed", answer: parsed.data };
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? `the field ${issue.path.join(".")}` : "its body";
  if (json === undefined) return { kind: "unreadable", said: "the response is empty" };
  // The text that answers a sign-in may be the token.
  const isToken = endpoint.semantics === "sign-in" && typeof json === "string";
  const words = isToken ? undefined : clean(pick(json), redact);
  const told = words === undefined ? "" : `; it contains: ${words}`;
  return { kind: "unreadable", said: `the response has an unexpected format (${place})${told}` };
}

/**
 * Returns the text of a failure that a 2xx body states instead of a result: a status such as `failed`, or an `error` with
 * text and no status, without an id or a task. The request may have been executed all the same.
 */
function statedFailure(
  endpoint: Endpoint,
  json: unknown,
  redact: (text: string) => string,
): string | undefined {
  const { semantics } = endpoint;
  if (semantics === "read" || semantics === "sign-in" || typeof json !== "object" || json === null)
    return undefined;
  const { status, error, ...rest } = json as Record<string, unknown>;
  const isFailed = typeof status === "string" && /^(fail|error)/i.test(status);
  // Another body than a schema promises is unreadable.
  const mayBeError = isUnset(status) && endpoint.answer?.safeParse(json).success !== false;
  const isError = mayBeError && clean(pick(error), redact) !== undefined && !namesResult(rest);
  if (!isError && (!isFailed || namesResult(json))) return undefined;
  const words = clean(pick(json), redact) ?? clean(String(status), redact);
  return `the API reports: ${words}`;
}

const isUnset = (value: unknown): boolean => value === undefined || value === null;

/** Returns true if a body names an object or a task. */
const namesResult = (json: unknown, depth = 0): boolean =>
  typeof json === "object" &&
  json !== null &&
  depth < deepest &&
  Object.entries(json).some(([name, value]) =>
    typeof value === "object"
      ? namesResult(value, depth + 1)
      : /(id|krn|task|job)$/i.test(name) && !/request|trace|correlation/i.test(name) && Boolean(value),
  );

const unparsed = Symbol("unparsed");

/**
 * Parses a body by its content, not by its header, since the API sends JSON as text/plain too (docs/contract.md#1.1).
 * Returns undefined for an empty body and `unparsed` for invalid JSON.
 */
function parseJson(body: string): unknown {
  const text = (body.startsWith("\uFEFF") ? body.slice(1) : body).trim();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return unparsed;
  }
}

/** Returns true for a markup document, such as the page of a proxy, a firewall or a sign-in: JSON never starts so. */
const isPage = (body: string): boolean => /^\s*<[!?a-z]/i.test(body);

/** Returns true if a body is a JSON object, as every error of the API (docs/contract.md#1.6). */
function isObject(body: string): boolean {
  const json = parseJson(body);
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Returns the message in an error body, whose shape no source documents (docs/contract.md#17.1). */
function messageIn(body: string, redact: (text: string) => string): string | undefined {
  const json = parseJson(body);
  return clean(json === unparsed ? body : pick(json), redact);
}

/** Returns the words as part of a text; undefined if they are empty. */
function clean(words: string | undefined, redact: (text: string) => string): string | undefined {
  const line = words === undefined ? "" : quoted(words, redact);
  return line === "" ? undefined : line;
}

/** Maximum depth of the search for a message. Real error bodies do not nest deeper; a hostile one may. */
const deepest = 4;

function pick(json: unknown, depth = 0): string | undefined {
  // JSON in a text may be a whole response, with what only that shows: a token, or the secret of a new key.
  if (typeof json === "string") {
    const inner = parseJson(json);
    return typeof inner === "object" && inner !== null ? pick(inner, depth + 1) : json;
  }
  if (typeof json !== "object" || json === null || depth === deepest) return undefined;
  if (Array.isArray(json))
    return json
      .map((item) => pick(item, depth + 1))
      .filter(Boolean)
      .join("; ");
  const body = json as Record<string, unknown>;
  const { message, detail } = body;
  if (typeof message === "string" && typeof detail === "object") {
    // The text services add the reason to a general message (docs/contract.md#13).
    const info = pick(detail, depth + 1);
    return info === undefined || info === message ? message : `${message}: ${info}`;
  }
  for (const name of ["message", "error", "detail", "info", "msg"]) {
    const found = pick(body[name], depth + 1);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

/** Returns the id by which the API logs a request, redacted; empty if the response has none. */
export function requestId(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): { requestId?: string } {
  const id = headers["x-request-id"] ?? headers["x-correlation-id"];
  const shown = id === undefined ? "" : quoted(id, redact, 100).replace(/[^\w.:-]/g, "");
  return shown === "" ? {} : { requestId: shown };
}

/** Parses `Retry-After` to milliseconds; undefined unless it has a form of RFC 9110 (docs/reliability.md#3.8). */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000;
  const at = parseHttpDate(header);
  return at === undefined ? undefined : Math.max(0, at - now);
}
