import type { Assumptions } from "./assumption.ts";
import type { Content } from "./content.ts";

/** A request as it arrived, whether over a socket or through `fetch`. Header names are lower case. */
export type Exchange = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body where it is not read into memory. */
  readonly content?: Content;
  /** Drops the exchange where it stands. A client that leaves does not abort it: the cloud goes on without him. */
  readonly signal?: AbortSignal;
};

/** What an operation answers: a JSON value, raw bytes, or nothing; or `content`, of which there may be much. */
export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly content?: Content;
  /** How long it waits after the effect, as the synchronous routes do; in milliseconds. */
  readonly afterMs?: number;
};

/** What is sent of an answer: text stays text until it leaves. */
export type Body = string | Uint8Array;

/** An answer as it is sent. `announced` is the Content-Length when it differs from the bytes that are sent. */
export type WireAnswer = {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** What is sent in the place of the body. */
  readonly content?: Content;
  /** What happens after the last byte: done, the connection breaks, or nothing ever again. */
  readonly ending: "end" | "break" | "stall";
  readonly announced?: number | "chunked";
  readonly afterMs?: number;
};

/** What the client gets: an answer, or a connection that ends or goes silent without one. */
export type Delivery =
  | WireAnswer
  | { readonly kind: "reset" }
  | { readonly kind: "fin" }
  | { readonly kind: "hang" };

/** An operation's refusal: an HTTP status with a text for the caller. */
export class Refusal extends Error {
  readonly status: number;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.detail = detail;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bytesOf = (body: Body): Uint8Array => (typeof body === "string" ? encoder.encode(body) : body);
export const textOf = (body: Body): string => (typeof body === "string" ? body : decoder.decode(body));

/** An answer ready to be sent; a body that is text or bytes already goes as it is. */
export function wireAnswer(answer: Answer): WireAnswer {
  const { body } = answer;
  const headers = { ...answer.headers };
  let ready: Body = "";
  if (body instanceof Uint8Array) {
    ready = body;
  } else if (typeof body === "string") {
    ready = body;
    headers["content-type"] ??= "text/plain; charset=utf-8";
  } else if (body !== undefined) {
    ready = JSON.stringify(body);
    headers["content-type"] ??= "application/json";
  }
  const { status, afterMs, content } = answer;
  const sent: WireAnswer = { kind: "answer", status, headers, body: ready, ending: "end" };
  if (afterMs === undefined && content === undefined) return sent;
  return { ...sent, ...(content && { content }), ...(afterMs !== undefined && { afterMs }) };
}

/** How many bytes an answer has. */
export const lengthOf = ({ body, content }: WireAnswer): number =>
  Buffer.byteLength(body) + (content?.size ?? 0);

/** All of an answer in memory. */
export async function bodyOf({ body, content }: WireAnswer): Promise<Uint8Array> {
  if (content === undefined) return bytesOf(body);
  const parts: Uint8Array[] = [bytesOf(body)];
  for await (const part of content.read()) parts.push(part);
  return Buffer.concat(parts);
}

/** The body of an error. Which of the shapes of contract 17.1 the real service uses is unknown: a switch chooses. */
export function errorBody(
  refusal: { status: number; message: string; detail?: Readonly<Record<string, unknown>> },
  shape: Assumptions["errorBody"],
): unknown {
  const { status, message, detail = {} } = refusal;
  switch (shape) {
    case "message":
      return { status: "failed", message, detail };
    case "error-object":
      return { error: { message, code: status } };
    case "error":
      return { error: message };
    case "detail":
      return { detail: message };
    case "msg":
      return { msg: message };
    case "text":
      return message;
  }
}
