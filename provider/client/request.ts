import { missingProblem } from "../config/config.ts";
import { ConfigError, StopError } from "../core/error.ts";
import type { ApiCall } from "../definition/api.ts";
import type { Endpoint } from "../definition/endpoint.ts";
import { onAbort } from "../platform/abort.ts";
import type { ByteStream, Clock, Receive, Reply, Transport, WireRequest } from "../platform/ports.ts";
import type { Connection } from "./connection.ts";
import { bodyStream } from "./json-body.ts";
import { formStream, formType } from "./multipart.ts";
import { classifyResponse, type ResponseOutcome, requestId } from "./response.ts";
import { createRowStream, type RowStream } from "./row-stream.ts";

const silenceMs = 60_000;

/**
 * Runs a request with an idle timeout, in addition to the deadline of the operation: after 60 s without data it returns
 * `lost`, or `unsent` if no connection has taken the request. `run` calls `moved` whenever data is sent or received.
 */
export async function withIdleTimeout(
  clock: Clock,
  signal: AbortSignal,
  run: (limit: AbortSignal, moved: () => void) => Promise<Reply>,
): Promise<Reply> {
  const limit = new AbortController();
  const late: Reply = { kind: "lost", reason: `no response within ${silenceMs / 1000} s` };
  const unlink = onAbort(signal, (reason) => limit.abort(reason));
  let moves = 0;
  const silence = async () => {
    for (let observed = -1; observed !== moves; ) {
      observed = moves;
      await clock.sleep(silenceMs, limit.signal);
    }
    limit.abort(new StopError("deadline", silenceMs / 1000));
  };
  const timer = silence().catch(() => {});
  try {
    signal.throwIfAborted();
    const reply = await run(limit.signal, () => {
      moves += 1;
    });
    if (reply.kind !== "unsent" || signal.aborted || !limit.signal.aborted) return reply;
    return { kind: "unsent", reason: `${reply.reason} within ${silenceMs / 1000} s` };
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return late;
  } finally {
    unlink();
    limit.abort("over"); // Without a reason, each abort creates an error and captures its stack.
    await timer;
  }
}

/** Sends one request, logs it and returns its outcome. Calls `onSend` immediately before the request is sent. */
export async function sendRequest<A>(
  { ports, owner, serverClock, log, redact, learn }: Connection,
  {
    endpoint,
    request,
    signal,
  }: { readonly endpoint: Endpoint<A>; readonly request: WireRequest; readonly signal: AbortSignal },
  onSend?: () => void,
): Promise<ResponseOutcome<A>> {
  const { clock, transport } = ports;
  const began = clock.monotonic();
  const rows = endpoint.row && createRowStream(endpoint.row);
  const sent = rows === undefined ? request : { ...request, receive: rows.push };
  const got = await sendStreaming({ transport, clock, signal }, sent, onSend);
  const reply = rows === undefined ? got : framed(rows, got);
  const classified = classifyResponse(endpoint, reply, serverClock.time(), redact);
  // The page of a gateway, or a response that is not of the API, has the time of another clock.
  if (reply.kind === "answer" && !isUnclear(classified)) serverClock.learn(reply.headers.date);
  const outcome = rows === undefined ? classified : rowsOf(rows, classified);
  if (outcome.kind === "executed") learnSecrets(endpoint, outcome.answer, learn);
  const isOwn = endpoint.semantics === "read" && !endpoint.foreign;
  if (reply.kind === "answer" && outcome.kind === "executed" && isOwn) owner.learn(reply.body, request);
  if (log.drops?.("debug") !== true)
    log("debug", "request", {
      method: endpoint.method,
      route: endpoint.path,
      status: reply.kind === "answer" ? reply.status : reply.kind,
      outcome: outcome.kind,
      ...(reply.kind === "answer" ? requestId(reply.headers, redact) : {}),
      ms: Math.round(clock.monotonic() - began),
    });
  return outcome;
}

const isUnclear = ({ kind }: ResponseOutcome<unknown>): boolean =>
  kind === "ambiguous" || kind === "unreadable";

/** Adds the secrets of a response, which may be at any depth, to the redaction. */
function learnSecrets({ secrets }: Endpoint, answer: unknown, learn: (secret: string) => void): void {
  if (secrets.length === 0) return;
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === "string" && secrets.includes(name)) learn(inner);
      else visit(inner);
  };
  visit(answer);
}

/** Replaces the body of a 2xx response with the text around its rows. */
function framed(rows: RowStream<unknown>, reply: Reply): Reply {
  if (reply.kind !== "answer" || reply.status < 200 || reply.status > 299) return reply;
  // A transport without streaming returns the whole body.
  if (reply.body !== "") rows.push(Buffer.from(reply.body));
  return { ...reply, body: rows.frame() };
}

function rowsOf<A>(rows: RowStream<unknown>, outcome: ResponseOutcome<A>): ResponseOutcome<A> {
  const wrong = rows.wrong();
  if (outcome.kind !== "executed") return outcome;
  if (wrong === undefined) return { kind: "executed", answer: rows.rows as A };
  return { kind: "unreadable", reason: `the response has an unexpected format (${wrong})` };
}

/** Builds the request of a call, without its credentials. */
export function wireRequest(
  { settings, owner, userAgent }: Connection,
  endpoint: Endpoint,
  region: string,
  call: ApiCall,
): WireRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(call.path?.[name] ?? ""));
  const headers: Record<string, string> = { accept: "application/json", "user-agent": userAgent };
  if (endpoint.region) headers[endpoint.region] = region;
  if (endpoint.account) headers["x-account-id"] = requireAccount(settings);
  if (endpoint.user) headers["x-user"] = userOf(settings);
  const id = endpoint.customer ? owner.customer() : undefined;
  if (id !== undefined) headers["k-customer-id"] = id;
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  const isJson = call.body !== undefined || call.content !== undefined;
  if (isJson) headers["content-type"] = "application/json";
  if (call.form !== undefined) headers["content-type"] = formType(call.form);
  return {
    method: endpoint.method,
    url: `${settings.baseUrl}${path}${searchOf(call.query)}`,
    headers,
    ...(settings.certificates === undefined ? {} : { certificates: settings.certificates }),
    ...(call.body === undefined || call.content !== undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.content === undefined ? {} : { stream: bodyStream(call.body ?? {}, call.content) }),
    ...(call.form === undefined ? {} : { stream: formStream(call.form) }),
  };
}

/** Returns a query as the end of a URL; empty if it has no values. */
function searchOf(query: ApiCall["query"]): string {
  if (query === undefined) return "";
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}

/**
 * Returns the user of inference requests (docs/contract.md#12). Throws `ConfigError` if the user is not set.
 */
function userOf({ user }: Connection["settings"]): string {
  if (user !== undefined) return user;
  throw new ConfigError([missingProblem.user]);
}

/**
 * Returns the account id, which object storage requires (docs/contract.md#9). Throws `ConfigError` if it is not set.
 */
function requireAccount({ accountId }: Connection["settings"]): string {
  if (accountId !== undefined) return accountId;
  throw new ConfigError([missingProblem.accountId]);
}

/**
 * Encodes an id as one path segment, so that it cannot change the route. Colons are not escaped, as in the documented
 * requests. Throws `RangeError` for an empty or relative id.
 */
function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new RangeError("an empty or relative ID in a path");
  return encodeURIComponent(id).replaceAll("%3A", ":");
}

/**
 * Sends a request whose body or response may be streamed, with an idle timeout. Throws an error of the local stream or
 * receiver, which also ends the connection.
 *
 * @param onSend called immediately before the request is sent
 */
export async function sendStreaming(
  {
    transport,
    clock,
    signal,
  }: { readonly transport: Transport; readonly clock: Clock; readonly signal: AbortSignal },
  request: WireRequest,
  onSend: () => void = () => {},
): Promise<Reply> {
  const local: LocalError = {};
  const reply = await withIdleTimeout(clock, signal, (limit, moved) => {
    onSend();
    return transport.send(watched(request, { moved, local }), limit);
  });
  if ("error" in local) throw local.error;
  return reply;
}

/** Error of the local stream or receiver, if there is one. */
interface LocalError {
  error?: unknown;
}

interface Watch {
  readonly moved: () => void;
  readonly local: LocalError;
}

/** Returns the request with a stream and a receiver that report data and errors to `watch`. */
function watched(request: WireRequest, watch: Watch): WireRequest {
  const { stream, receive } = request;
  if (stream === undefined && receive === undefined) return request;
  return {
    ...request,
    ...(stream === undefined ? {} : { stream: { size: stream.size, read: () => parts(stream, watch) } }),
    ...(receive === undefined ? {} : { receive: (part) => receivePart(receive, part, watch) }),
  };
}

async function* parts({ read }: ByteStream, { moved, local }: Watch): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of read()) {
      moved();
      yield part;
    }
  } catch (error) {
    local.error = error;
    throw error;
  }
}

function receivePart(receive: Receive, part: Uint8Array, { moved, local }: Watch): void | Promise<void> {
  const note = (error: unknown): never => {
    local.error = error;
    throw error;
  };
  moved();
  try {
    return receive(part)?.catch(note);
  } catch (error) {
    return note(error);
  }
}
