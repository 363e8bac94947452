import { carry } from "./carry.ts";
import type { Endpoint } from "./endpoint.ts";
import { ConfigError } from "./errors.ts";
import { type Form, formStream, formType } from "./form.ts";
import { classify, type Outcome } from "./outcome.ts";
import type { Reply, WireRequest } from "./ports.ts";
import { createRowStream, type RowStream } from "./row-stream.ts";
import type { Session } from "./session.ts";
import { environmentOf } from "./setting.ts";

/** What goes into a request: values for its path, its query, its headers, its body. `undefined` is left out. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** A form in the place of a body: its fields, and a file as its last. */
  readonly form?: Form;
}

/** What an exchange goes through: all of a session but the proof of who asks. */
export type Line = Pick<Session, "settings" | "ports" | "budget" | "customer" | "log" | "redact" | "agent">;

/** One request and what came of it, with a line in the log. `leaving` is told as it goes. */
export async function exchange<A>(
  { ports, customer, log, redact }: Line,
  endpoint: Endpoint<A>,
  request: WireRequest,
  signal: AbortSignal,
  leaving: () => void = () => {},
): Promise<Outcome<A>> {
  const { clock, transport } = ports;
  const began = clock.monotonic();
  const rows = endpoint.row && createRowStream(endpoint.row);
  const sent = rows === undefined ? request : { ...request, receive: rows.push };
  const got = await carry(transport, clock, sent, signal, leaving);
  const reply = rows === undefined ? got : framed(rows, got);
  if (reply.kind === "answer") customer.learn(reply.body);
  const classified = classify(endpoint, reply, clock.wall(), redact);
  const outcome = rows === undefined ? classified : rowsOf(rows, classified);
  log("debug", "request", {
    method: endpoint.method,
    route: endpoint.path,
    status: reply.kind === "answer" ? reply.status : reply.kind,
    outcome: outcome.kind,
    ...(outcome.kind !== "executed" && outcome.requestId ? { requestId: outcome.requestId } : {}),
    ms: Math.round(clock.monotonic() - began),
  });
  return outcome;
}

/** What is around the rows of an answer, in the place of the whole of it. */
function framed(rows: RowStream<unknown>, reply: Reply): Reply {
  if (reply.kind !== "answer" || reply.status < 200 || reply.status > 299) return reply;
  // A way that knows no parts gives the whole.
  if (reply.body !== "") rows.push(Buffer.from(reply.body));
  return { ...reply, body: rows.frame() };
}

function rowsOf<A>(rows: RowStream<unknown>, outcome: Outcome<A>): Outcome<A> {
  const wrong = rows.wrong();
  if (outcome.kind !== "executed") return outcome;
  if (wrong === undefined) return { kind: "executed", answer: rows.rows as A };
  return { kind: "unreadable", said: `the answer is not what this API promises (${wrong})` };
}

/** The request of a call, but for the proof of who asks. */
export function wireRequest(
  { settings, customer, agent }: Line,
  endpoint: Endpoint,
  region: string,
  call: Call,
): WireRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(call.path?.[name] ?? ""));
  const headers: Record<string, string> = { accept: "application/json", "user-agent": agent };
  if (endpoint.region) headers[endpoint.region] = region;
  if (endpoint.account) headers["x-account-id"] = accountOf(settings);
  const id = endpoint.customer ? customer.id() : undefined;
  if (id !== undefined) headers["k-customer-id"] = id;
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  if (call.body !== undefined) headers["content-type"] = "application/json";
  if (call.form !== undefined) headers["content-type"] = formType(call.form);
  return {
    method: endpoint.method,
    url: `${settings.baseUrl}${path}${searchOf(call.query)}`,
    headers,
    ...(settings.certificates === undefined ? {} : { certificates: settings.certificates }),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.form === undefined ? {} : { stream: formStream(call.form) }),
  };
}

/** A query as the end of an address. */
function searchOf(query: Call["query"]): string {
  if (query === undefined) return "";
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}

/** Object storage asks for the account (contract 9). Throws `ConfigError` before anything is sent. */
function accountOf({ accountId }: Line["settings"]): string {
  if (accountId !== undefined) return accountId;
  const problem = `is missing: object storage is asked for an account; set account_id or ${environmentOf("accountId")}`;
  throw new ConfigError([{ path: ["accountId"], problem }]);
}

/** An id as one segment of a path: nothing in it may change the route. Colons stay as the cloud writes them. */
function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new RangeError("an empty or relative id in a path");
  return encodeURIComponent(id).replaceAll("%3A", ":");
}
