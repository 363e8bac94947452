import { bytesOf, lengthOf, textOf, type WireResponse, wireResponse } from "../http/wire.ts";
import { halfOf } from "../state/content.ts";
import { listingMutators } from "./listing-mutator.ts";

/** Parameters of a fault in addition to its kind. */
export type FaultDetail = {
  /** Replacement of the body: JSON, or text that is sent unchanged. */
  readonly body?: unknown;
  /** Value of the `Retry-After` header. */
  readonly retryAfter?: string | undefined;
  /** Value of the `Location` header. */
  readonly location?: string | undefined;
  /** For `missing-field`: the field to remove; default: the first field of every object. */
  readonly field?: string | undefined;
  /** For `unknown-status` the status to return, for `error-in-200` and `refusal-in-200` the message. */
  readonly word?: string | undefined;
};

const signInPage =
  "<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>";
const accessDeniedPage =
  "<!doctype html><html><head><title>Access Denied</title></head><body><h1>Access Denied</h1></body></html>";

export function htmlResponse(
  status: number,
  text = status === 403 ? accessDeniedPage : signInPage,
): WireResponse {
  return wireResponse({ status, headers: { "content-type": "text/html; charset=utf-8" }, body: text });
}

/** Applies `change` to every object of a JSON value, the inner ones first. */
function mapObjects(
  value: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== "object" || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapObjects(item, change)])),
  );
}

function otherType(value: unknown): unknown {
  if (typeof value === "string") return 42;
  if (typeof value === "number") return { value };
  if (typeof value === "boolean") return String(value);
  return value === null ? [] : value;
}

function retype(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, otherType(value)]));
}

function without(field: string | undefined, object: Record<string, unknown>): Record<string, unknown> {
  const gone = field ?? Object.keys(object)[0];
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== gone));
}

function withStatusWord(replacement: string, object: Record<string, unknown>): Record<string, unknown> {
  const status = (key: string) => ["status", "state", "operating_status"].includes(key);
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, status(key) ? replacement : value]),
  );
}

/** Changes the JSON of a response; other responses are unchanged. */
function withJson(answer: WireResponse, change: (value: unknown) => unknown): WireResponse {
  if (answer.headers["content-type"] !== "application/json") return answer;
  const { status, headers, body } = answer;
  return wireResponse({ status, headers, body: change(JSON.parse(textOf(body))) });
}

/** Changes the text of a response. */
function withText(answer: WireResponse, change: (text: string) => string): WireResponse {
  return { ...answer, body: change(textOf(answer.body)) };
}

/** Returns the first half of a response, after which the connection breaks or stalls. */
function cutInHalf(answer: WireResponse, ending: "break" | "stall"): WireResponse {
  if (answer.content !== undefined) return { ...answer, content: halfOf(answer.content), ending };
  const bytes = bytesOf(answer.body);
  return { ...answer, body: bytes.subarray(0, Math.floor(bytes.length / 2)), ending };
}
const success = (answer: Pick<WireResponse, "status">) => (answer.status < 300 ? answer.status : 200);
/** Pads short bodies with blanks, which JSON ignores, so that they can be cut. */
const padded = (answer: WireResponse) =>
  answer.content === undefined ? withText(answer, (text) => (text === "" ? "{}" : text).padEnd(64)) : answer;

type ResponseMutator = (answer: WireResponse, detail: FaultDetail) => WireResponse;

/** Mutators of the response of an executed operation by fault kind. */
export const responseMutators: Readonly<Record<string, ResponseMutator>> = {
  "cut-length": (answer) => {
    const bytes = padded(answer);
    return { ...cutInHalf(bytes, "break"), announced: lengthOf(bytes) };
  },
  "cut-chunked": (answer) => ({ ...cutInHalf(padded(answer), "break"), announced: "chunked" }),
  "cut-json": (answer) => withText(answer, (text) => text.slice(0, Math.floor(text.length / 2))),
  "slow-loris": (answer) => {
    const bytes = padded(answer);
    return { ...cutInHalf(bytes, "stall"), announced: lengthOf(bytes) };
  },
  "bad-gzip": (answer) => ({ ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } }),
  oversize: (answer) => withText(answer, (text) => text + " ".repeat(32 * 1024 * 1024)),
  "empty-200": ({ content: _, ...answer }) => ({
    ...answer,
    status: success(answer),
    body: new Uint8Array(),
  }),
  "no-content": ({ content: _, ...answer }) => ({
    ...answer,
    status: 204,
    headers: {},
    body: new Uint8Array(),
  }),
  "html-200": (answer) => htmlResponse(success(answer)),
  "error-in-200": (answer, { word = "internal failure" }) =>
    wireResponse({ status: success(answer), body: { error: { message: word, code: 500 } } }),
  "refusal-in-200": (answer, { word = "refused" }) =>
    wireResponse({ status: success(answer), body: { status: "failed", message: word } }),
  "wrong-types": (answer) => withJson(answer, (value) => mapObjects(value, retype)),
  "missing-field": (answer, { field }) =>
    withJson(answer, (value) => mapObjects(value, (object) => without(field, object))),
  "unknown-status": (answer, { word = "MYSTERY" }) =>
    withJson(answer, (value) => mapObjects(value, (object) => withStatusWord(word, object))),
  "extra-fields": (answer) =>
    withJson(answer, (value) =>
      mapObjects(value, (object) => ({ ...object, x_unknown: { nested: [1, null] } })),
    ),
  "proto-keys": (answer) =>
    withText(answer, (text) => text.replaceAll("{", '{"__proto__":{"polluted":true},').replaceAll(",}", "}")),
  "big-int": (answer) => withText(answer, (text) => text.replaceAll(/:\d+(?=[,}\]])/g, ":9007199254740993")),
  "big-id": (answer) =>
    withText(answer, (text) => text.replaceAll(/("(?:\w+_)?id"):"[^"]*"/g, "$1:9007199254740993")),
  "json-in-string": (answer) => withText(answer, (text) => JSON.stringify(text)),
  "bad-utf8": (answer) => ({
    ...answer,
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xff]), bytesOf(answer.body)]),
  }),
  "text-plain": (answer) => ({ ...answer, headers: { ...answer.headers, "content-type": "text/plain" } }),
  ...Object.fromEntries(
    Object.entries(listingMutators).map(([kind, change]): [string, ResponseMutator] => [
      kind,
      (answer) => withJson(answer, change),
    ]),
  ),
};

/**
 * Mutators that need no real response. Applied before execution, they simulate an intermediary that returns 2xx for a request
 * that was not executed.
 */
export const independentMutators: readonly string[] = [
  "cut-length",
  "cut-chunked",
  "cut-json",
  "slow-loris",
  "empty-200",
  "no-content",
  "html-200",
  "error-in-200",
  "refusal-in-200",
];
