import type { Failure } from "../core/error.ts";
import { parseHttpDate } from "../core/time.ts";
import { attribute, type Text, wording } from "../core/wording.ts";
import type { Endpoint } from "../definition/endpoint.ts";
import type { Reply } from "../platform/ports.ts";
import { quoted } from "./quote.ts";

/**
 * Outcome of one request (docs/reliability.md#3.1): a response that matches the endpoint's schema, or one kind of
 * failure.
 */
export type ResponseOutcome<A> =
  | { readonly kind: "executed"; readonly answer: A }
  | {
      readonly kind: Failure;
      readonly reason: Text;
      readonly status?: number;
      readonly requestId?: string;
      readonly retryAfter?: number;
      /** Set if the body is truncated or not JSON: the response to another attempt may be complete. */
      readonly broken?: true;
    };

/** Outcome of a request without the response that its endpoint declares. */
export type FailedOutcome = Exclude<ResponseOutcome<unknown>, { kind: "executed" }>;

/**
 * Returns true if another attempt of a sign-in may succeed: the request was not sent or had no response, or the response was
 * a 408, 429 or 5xx, or its body was truncated or not JSON (docs/reliability.md#4.3).
 */
export function mayRepeatSignIn({ kind, status, broken }: FailedOutcome): boolean {
  if (kind === "ambiguous") return status === undefined || status === 408 || status >= 500;
  return kind === "unsent" || kind === "throttled" || broken === true;
}

/** Statuses of requests that the API did not execute and will reject again (docs/contract.md#1.6). */
const refusals = new Set([400, 403, 404, 405, 413, 415, 422]);

/**
 * Classifies a reply of an endpoint. Every possible reply has exactly one outcome.
 *
 * @param now time in ms since 1970, for a `Retry-After` that is a date in a response without a `Date` header
 * @param redact removes secrets from a message of the API before the message is truncated
 */
export function classifyResponse<A>(
  endpoint: Endpoint<A>,
  reply: Reply,
  now: number,
  redact: (text: string) => string = (text) => text,
): ResponseOutcome<A> {
  if (reply.kind === "unsent") return { kind: "unsent", reason: reply.reason };
  if (reply.kind === "lost") return { kind: "ambiguous", reason: reply.reason };
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
    return { kind: "ambiguous", reason: `${where}the response is a web page` };
  }
  const words = messageIn(body, redact);
  if (status === 401) return { kind: "auth", reason: words ?? "without a message" };
  const message =
    words === undefined ? `the API answered ${status} without a message` : `the API reports: ${words}`;
  // A 412 means that the object exists, although a condition of the request excludes that.
  if (status === 409 || status === 412) return { kind: "conflict", reason: message };
  const isMetered = semantics === "metered";
  const isSentOnce = isMetered || semantics === "cancel";
  if (status === 429 || (status === 503 && isMetered && isObject(body))) {
    const retryAfter = retryAfterOf(headers, now);
    // A proxy may send such a response after the API has executed the request, so it does not prove the opposite.
    if (isSentOnce && retryAfter === undefined && !isObject(body))
      return { kind: "ambiguous", reason: message };
    return { kind: "throttled", reason: message, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  if (status >= 300 && status < 400) return { kind: "ambiguous", reason: "an unexpected redirect" };
  return { kind: refusals.has(status) ? "rejected" : "ambiguous", reason: message };
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
      reason: wording`the response is a web page: ${attribute("baseUrl")} may be wrong`,
    };
  // An intermediary may send such a response without forwarding the request.
  if (cut) return { kind: "unreadable", reason: "the response ended early", broken: true };
  const json = parseJson(body);
  const parsed = json === unparsed ? undefined : endpoint.answer?.safeParse(json);
  const refusal = statedFailure(endpoint, json, parsed?.success !== false, redact);
  if (refusal !== undefined) return { kind: "ambiguous", reason: refusal };
  if (endpoint.answer === undefined) return { kind: "executed", answer: undefined as A };
  if (parsed === undefined) return { kind: "unreadable", reason: "the response is not JSON", broken: true };
  if (parsed.success) return { kind: "executed", answer: parsed.data };
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? `the field ${issue.path.join(".")}` : "its body";
  if (json === undefined) return { kind: "unreadable", reason: "the response is empty" };
  // A text in response to a sign-in may be the token.
  const isToken = endpoint.semantics === "sign-in" && typeof json === "string";
  const words = isToken ? undefined : clean(pick(json), redact);
  const detail = words === undefined ? "" : `; it contains: ${words}`;
  return { kind: "unreadable", reason: `the response has an unexpected format (${place})${detail}` };
}

/**
 * Returns the text of a failure that a 2xx body states instead of a result: a status such as `failed`, or an `error` with
 * text and no status, without an id or a task. The request may have been executed nevertheless.
 *
 * @param isValid true if the body matches the schema of the endpoint, or there is no schema
 */
function statedFailure(
  { semantics }: Endpoint,
  json: unknown,
  isValid: boolean,
  redact: (text: string) => string,
): string | undefined {
  if (semantics === "read" || semantics === "sign-in" || typeof json !== "object" || json === null)
    return undefined;
  const { status, error, ...rest } = json as Record<string, unknown>;
  const isFailed = typeof status === "string" && /^(fail|error)/i.test(status);
  // A body that does not match the schema is unreadable.
  const isError =
    isUnset(status) && isValid && clean(pick(error), redact) !== undefined && !namesResult(rest);
  if (!isError && (!isFailed || namesResult(json))) return undefined;
  const words = clean(pick(json), redact) ?? clean(String(status), redact);
  return `the API reports: ${words}`;
}

const isUnset = (value: unknown): boolean => value === undefined || value === null;

/** Returns true if a body contains the id of an object or a task. */
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
 * Parses a body regardless of its content type, since the API also sends JSON as text/plain (docs/contract.md#1.1).
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

/** Returns true for a markup document, such as the page of a proxy, a firewall or a sign-in. */
const isPage = (body: string): boolean => /^\s*<[!?a-z]/i.test(body);

/** Returns true if a body is a JSON object, like every error of the API (docs/contract.md#1.6). */
function isObject(body: string): boolean {
  const json = parseJson(body);
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Returns the message in an error body, whose shape is not documented (docs/contract.md#17.1). */
function messageIn(body: string, redact: (text: string) => string): string | undefined {
  const json = parseJson(body);
  return clean(json === unparsed ? body : pick(json), redact);
}

/** Returns a text of the API, quoted; undefined if it is empty. */
function clean(words: string | undefined, redact: (text: string) => string): string | undefined {
  const line = words === undefined ? "" : quoted(words, redact);
  return line === "" ? undefined : line;
}

/** Maximum depth of the search for a message: a malicious body may be nested without limit. */
const deepest = 4;

/** Returns the message in a parsed error body; undefined if there is none. */
function pick(json: unknown, depth = 0): string | undefined {
  // JSON in a text may be a whole response with a secret in it, such as a token or the secret of a new key.
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

/** Returns the id of a request in the logs of the API, redacted; empty if the response has none. */
export function requestId(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): { requestId?: string } {
  const id = headers["x-request-id"] ?? headers["x-correlation-id"];
  const shown = id === undefined ? "" : quoted(id, redact, 100).replace(/[^\w.:-]/g, "");
  return shown === "" ? {} : { requestId: shown };
}

/** Returns the `Retry-After` of a response in ms; a date counts from the `Date` header of that response, else from `now`. */
export const retryAfterOf = (headers: Readonly<Record<string, string>>, now: number): number | undefined =>
  parseRetryAfter(headers["retry-after"], parseHttpDate(headers.date ?? "") ?? now);

/** Parses `Retry-After` to milliseconds; undefined for a value that RFC 9110 does not allow (docs/reliability.md#3.8). */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000;
  const time = parseHttpDate(header);
  return time === undefined ? undefined : Math.max(0, time - now);
}
