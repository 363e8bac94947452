import type { Assumptions } from "../settings/assumption/assumption.ts";
import type { Content } from "../state/content.ts";

/** Request from a socket or from `fetch`. Header names are in lower case. */
export type WireRequest = {
  readonly method: string;
  /** Any `URL`. */
  readonly url: Pick<URL, "origin" | "pathname" | "search">;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Body, or field of a JSON body, that is not read into memory. */
  readonly content?: Content;
  /** Signal that stops the request. A client that disconnects does not abort the request: the cloud still executes it. */
  readonly signal?: AbortSignal;
};

/** Response of an operation: a JSON value, text, bytes, `content` for a large body, or no body. */
export type OperationResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly content?: Content;
  /** Delay after execution in milliseconds, as on synchronous routes. */
  readonly afterMs?: number;
};

/** Body of a response. Text is encoded only when it is sent. */
export type Body = string | Uint8Array;

/** Response as it is sent. `announced` is the Content-Length when it differs from the bytes sent. */
export type WireResponse = {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Sent instead of the body. */
  readonly content?: Content;
  /** End of the response: complete, the connection breaks, or it stalls. */
  readonly ending: "end" | "break" | "stall";
  readonly announced?: number | "chunked";
  readonly afterMs?: number;
};

/** Outcome for the client: a response, or a connection that ends or hangs without one. */
export type ConnectionOutcome =
  | WireResponse
  | { readonly kind: "reset" }
  | { readonly kind: "fin" }
  | { readonly kind: "hang" };

/** Error response of an operation: an HTTP status with a message for the caller. */
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

/** Builds a response; text and bytes are sent unchanged, other bodies as JSON. */
export function wireResponse(answer: OperationResponse): WireResponse {
  const { body } = answer;
  const headers = { ...answer.headers };
  let encoded: Body = "";
  if (body instanceof Uint8Array) {
    encoded = body;
  } else if (typeof body === "string") {
    encoded = body;
    headers["content-type"] ??= "text/plain; charset=utf-8";
  } else if (body !== undefined) {
    encoded = JSON.stringify(body);
    headers["content-type"] ??= "application/json";
  }
  const { status, afterMs, content } = answer;
  const response: WireResponse = { kind: "answer", status, headers, body: encoded, ending: "end" };
  if (afterMs === undefined && content === undefined) return response;
  return { ...response, ...(content && { content }), ...(afterMs !== undefined && { afterMs }) };
}

/** Returns the length of a response in bytes. */
export const lengthOf = ({ body, content }: WireResponse): number =>
  Buffer.byteLength(body) + (content?.size ?? 0);

/** Reads the whole body of a response into memory. */
export async function bodyOf({ body, content }: WireResponse): Promise<Uint8Array> {
  if (content === undefined) return bytesOf(body);
  const parts: Uint8Array[] = [bytesOf(body)];
  for await (const part of content.read()) parts.push(part);
  return Buffer.concat(parts);
}

/** Builds the body of an error. The shape is unknown (docs/contract.md#17.1): a switch selects it. */
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
