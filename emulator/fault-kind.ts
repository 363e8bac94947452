import { halfOf } from "./content.ts";
import { rowFaults } from "./fault-row.ts";
import {
  type Answer,
  bytesOf,
  type Delivery,
  errorBody,
  lengthOf,
  textOf,
  type WireAnswer,
  wireAnswer,
} from "./wire.ts";

/** What a fault does besides its kind. */
export type FaultDetail = {
  /** Replaces the body: JSON, or text that goes as it is. */
  readonly body?: unknown;
  /** Value of `Retry-After`, as it is sent. */
  readonly retryAfter?: string | undefined;
  /** Value of `Location`. */
  readonly location?: string | undefined;
  /** For `missing-field`: the field that goes; without it the first field of every object. */
  readonly field?: string | undefined;
  /** For `unknown-status`: the word that comes instead. */
  readonly word?: string | undefined;
};

const page = "<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>";
const denied =
  "<!doctype html><html><head><title>Access Denied</title></head><body><h1>Access Denied</h1></body></html>";

export function htmlAnswer(status: number, text = status === 403 ? denied : page): WireAnswer {
  return wireAnswer({ status, headers: { "content-type": "text/html; charset=utf-8" }, body: text });
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

function respell(word: string, object: Record<string, unknown>): Record<string, unknown> {
  const status = (key: string) => ["status", "state", "operating_status"].includes(key);
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, status(key) ? word : value]));
}

/** The answer with its JSON changed; an answer that is no JSON stays. */
function withJson(answer: WireAnswer, change: (value: unknown) => unknown): WireAnswer {
  if (answer.headers["content-type"] !== "application/json") return answer;
  const { status, headers, body } = answer;
  return wireAnswer({ status, headers, body: change(JSON.parse(textOf(body))) });
}

/** The answer with its text changed. */
function withText(answer: WireAnswer, change: (text: string) => string): WireAnswer {
  return { ...answer, body: change(textOf(answer.body)) };
}

/** Half of what is to come, and then the connection breaks or says nothing any more. */
function cut(answer: WireAnswer, ending: "break" | "stall"): WireAnswer {
  if (answer.content !== undefined) return { ...answer, content: halfOf(answer.content), ending };
  const whole = bytesOf(answer.body);
  return { ...answer, body: whole.subarray(0, Math.floor(whole.length / 2)), ending };
}
const success = (answer: Pick<WireAnswer, "status">) => (answer.status < 300 ? answer.status : 200);
/** Short bodies are padded with blanks, which JSON ignores, so that there is something to cut. */
const padded = (answer: WireAnswer) =>
  answer.content === undefined ? withText(answer, (text) => (text === "" ? "{}" : text).padEnd(64)) : answer;

type Transform = (answer: WireAnswer, detail: FaultDetail) => WireAnswer;

/** Answers that are spoilt after the operation was executed; the names are those of the fault catalogue. */
export const spoilers: Readonly<Record<string, Transform>> = {
  "cut-length": (answer) => {
    const whole = padded(answer);
    return { ...cut(whole, "break"), announced: lengthOf(whole) };
  },
  "cut-chunked": (answer) => ({ ...cut(padded(answer), "break"), announced: "chunked" }),
  "cut-json": (answer) => withText(answer, (text) => text.slice(0, Math.floor(text.length / 2))),
  "slow-loris": (answer) => {
    const whole = padded(answer);
    return { ...cut(whole, "stall"), announced: lengthOf(whole) };
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
  "html-200": (answer) => htmlAnswer(success(answer)),
  "error-in-200": (answer) =>
    wireAnswer({ status: success(answer), body: { error: { message: "internal failure", code: 500 } } }),
  "wrong-types": (answer) => withJson(answer, (value) => mapObjects(value, retype)),
  "missing-field": (answer, { field }) =>
    withJson(answer, (value) => mapObjects(value, (object) => without(field, object))),
  "unknown-status": (answer, { word = "MYSTERY" }) =>
    withJson(answer, (value) => mapObjects(value, (object) => respell(word, object))),
  "extra-fields": (answer) =>
    withJson(answer, (value) =>
      mapObjects(value, (object) => ({ ...object, x_unknown: { nested: [1, null] } })),
    ),
  "proto-keys": (answer) =>
    withText(answer, (text) => text.replaceAll("{", '{"__proto__":{"polluted":true},').replaceAll(",}", "}")),
  "big-int": (answer) => withText(answer, (text) => text.replaceAll(/:\d+(?=[,}\]])/g, ":9007199254740993")),
  "json-in-string": (answer) => withText(answer, (text) => JSON.stringify(text)),
  "bad-utf8": (answer) => ({
    ...answer,
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xff]), bytesOf(answer.body)]),
  }),
  "text-plain": (answer) => ({ ...answer, headers: { ...answer.headers, "content-type": "text/plain" } }),
  ...Object.fromEntries(
    Object.entries(rowFaults).map(([kind, change]): [string, Transform] => [
      kind,
      (answer) => withJson(answer, change),
    ]),
  ),
};

const connections: readonly string[] = ["reset", "fin", "hang"];

/** Every kind there is, besides a status from 300 to 599 and `html-<status>`. */
export const faultKinds: readonly string[] = [...connections, "delay", ...Object.keys(spoilers)];

/** The status of kinds such as `503` and `html-403`; undefined for the others. */
function statusOf(kind: string): { status: number; html: boolean } | undefined {
  const match = /^(html-)?([345]\d\d)$/.exec(kind);
  return match ? { status: Number(match[2]), html: match[1] !== undefined } : undefined;
}

export function isFaultKind(kind: string): boolean {
  return faultKinds.includes(kind) || statusOf(kind) !== undefined;
}

/** Whether the kind needs the real answer, so that it can only strike after the effect. */
export function needsAnswer(kind: string): boolean {
  return kind in spoilers;
}

const reason = "injected fault";

/** What the client gets in place of the real answer, which is undefined when the operation was not executed. */
export function strike(
  kind: string,
  detail: FaultDetail,
  answer: WireAnswer | undefined,
): Delivery | undefined {
  if (kind === "delay") return answer;
  if (kind === "reset" || kind === "fin" || kind === "hang") return { kind };
  const fixed = statusOf(kind);
  if (fixed === undefined) return answer && spoilers[kind]?.(answer, detail);
  const { status, html } = fixed;
  const headers: Record<string, string> = {};
  if (detail.retryAfter !== undefined) headers["retry-after"] = detail.retryAfter;
  const location = detail.location ?? (status < 400 && status !== 304 ? "/sign-in" : undefined);
  if (location !== undefined) headers.location = location;
  if (html) return { ...htmlAnswer(status), headers: { ...htmlAnswer(status).headers, ...headers } };
  const body = detail.body ?? errorBody({ status, message: reason }, "message");
  return wireAnswer({ status, headers, body } satisfies Answer);
}
