import type { Endpoint } from "./endpoint.ts";
import { StopError } from "./errors.ts";
import { classify, type Outcome } from "./outcome.ts";
import type { Clock, Reply, WireRequest } from "./ports.ts";
import type { Session } from "./session.ts";

/** What goes into a request: values for its path, its query, its headers, its body. `undefined` is left out. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

/** What an exchange goes through: all of a session but the proof of who asks. */
export type Line = Pick<Session, "settings" | "ports" | "budget" | "customer" | "log" | "redact" | "agent">;

const exchangeMs = 60_000;

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
  const reply = await within(clock, signal, (limit) => {
    leaving();
    return transport.send(request, limit);
  });
  if (reply.kind === "answer") customer.learn(reply.body);
  const outcome = classify(endpoint, reply, clock.wall(), redact);
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

/** Runs with a limit of its own beside the operation's: an exchange that outlasts it has lost its answer. */
async function within(
  clock: Clock,
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const limit = new AbortController();
  const over = new AbortController();
  const late: Reply = { kind: "lost", reason: `no answer within ${exchangeMs / 1000} s` };
  const stop = () => limit.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const timer = clock.sleep(exchangeMs, over.signal).then(
    () => limit.abort(new StopError("deadline", exchangeMs / 1000)),
    () => {},
  );
  try {
    signal.throwIfAborted();
    return await run(limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return late;
  } finally {
    signal.removeEventListener("abort", stop);
    over.abort("over"); // Without a reason it makes an error, and every time looks at the stack for it.
    await timer;
  }
}

/** The request of a call, but for the proof of who asks. */
export function wireRequest(
  { settings, customer, agent }: Line,
  endpoint: Endpoint,
  region: string,
  call: Call,
): WireRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(call.path?.[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.append(name, String(value));
  const search = query.size === 0 ? "" : `?${query}`;
  const headers: Record<string, string> = { accept: "application/json", "user-agent": agent };
  if (endpoint.region) headers["x-region"] = region;
  const id = endpoint.customer ? customer.id() : undefined;
  if (id !== undefined) headers["k-customer-id"] = id;
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  if (call.body !== undefined) headers["content-type"] = "application/json";
  return {
    method: endpoint.method,
    url: `${settings.baseUrl}${path}${search}`,
    headers,
    ...(settings.certificates === undefined ? {} : { certificates: settings.certificates }),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

/** An id as one segment of a path: nothing in it may change the route. Colons stay as the cloud writes them. */
function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new RangeError("an empty or relative id in a path");
  return encodeURIComponent(id).replaceAll("%3A", ":");
}
