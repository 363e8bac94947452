import { backoff } from "./budget.ts";
import type { Endpoint } from "./endpoint.ts";
import { CloudError, isMissing, StopError } from "./errors.ts";
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

/** The cloud, bound to one operation: its region, its deadline, its log. */
export interface Api {
  /** Sends it. Throws `CloudError` for whatever is not the promised answer. */
  send<A>(endpoint: Endpoint<A>, call?: Call): Promise<A>;
  /** Reads one object by its id: `undefined` when the cloud answers 404, which alone proves nothing yet. */
  find<A>(endpoint: Endpoint<A>, call?: Call): Promise<A | undefined>;
}

/** How far a request got that may change something. */
export interface Departure {
  /** It has left, and no answer said that it did nothing. */
  left: boolean;
}

const exchangeMs = 60_000;
const tries = { read: 3, throttled: 20 };

/** An `Api` for one operation. Nothing is retried but what its endpoint's semantics allow (reliability 3.2). */
export function createApi(
  session: Session,
  region: string,
  signal: AbortSignal,
  departure: Departure = { left: false },
): Api {
  const { clock, random } = session.ports;

  async function attempt<A>(
    endpoint: Endpoint<A>,
    request: Omit<WireRequest, "headers">,
    headers: Record<string, string>,
  ) {
    const authorization = await session.credential.header(signal);
    const leave = await session.budget.enter(signal);
    const began = clock.monotonic();
    try {
      const wire = { ...request, headers: { ...headers, authorization } };
      const reply = await within(clock, signal, (limit) => {
        departure.left ||= endpoint.semantics !== "read";
        return session.ports.transport.send(wire, limit);
      });
      const outcome = classify(endpoint, reply, clock.wall(), session.redact);
      if (harmless.has(outcome.kind)) departure.left = false;
      session.log("debug", "request", {
        method: endpoint.method,
        route: endpoint.path,
        status: reply.kind === "answer" ? reply.status : reply.kind,
        outcome: outcome.kind,
        ...(outcome.kind !== "executed" && outcome.requestId ? { requestId: outcome.requestId } : {}),
        ms: Math.round(clock.monotonic() - began),
      });
      return outcome;
    } finally {
      leave();
    }
  }

  async function send<A>(endpoint: Endpoint<A>, call: Call = {}): Promise<A> {
    const { request, headers } = wireRequest(session, endpoint, region, call);
    let renewed = false;
    for (let sent = 1; ; sent++) {
      const outcome = await attempt(endpoint, request, headers);
      if (outcome.kind === "executed") {
        session.budget.succeed();
        return outcome.answer;
      }
      if (outcome.kind === "auth" && !renewed && (await session.credential.renew(signal))) renewed = true;
      else if (outcome.kind === "throttled" && sent < tries.throttled && session.budget.spend(5))
        session.budget.pause(pauseFor(outcome.retryAfter, backoff(random, sent, 1_000, 60_000)));
      else if (mayRepeat(endpoint, outcome) && sent < tries.read && session.budget.spend(5))
        await clock.sleep(backoff(random, sent, 500, 8_000), signal);
      else throw failure(endpoint, outcome);
    }
  }

  return {
    send,
    async find(endpoint, call) {
      try {
        return await send(endpoint, call);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

/** The pause that the cloud asks for, but no shorter than ours and no longer than five minutes (reliability 3.8). */
const pauseFor = (asked = 0, own: number): number => Math.min(300_000, Math.max(own, asked));

/** Outcomes of which it is sure that nothing was executed (reliability 3.1). */
const harmless: ReadonlySet<Outcome<unknown>["kind"]> = new Set(["unsent", "rejected", "auth", "throttled"]);

/** What never left may be sent again; what may have done something only if it changes nothing. */
const mayRepeat = (endpoint: Endpoint, outcome: Outcome<unknown>): boolean =>
  outcome.kind === "unsent" ||
  (endpoint.semantics === "read" && (outcome.kind === "ambiguous" || outcome.kind === "unreadable"));

function failure(endpoint: Endpoint, outcome: Exclude<Outcome<unknown>, { kind: "executed" }>) {
  const said = outcome.kind === "auth" ? `the API key was refused: ${outcome.said}` : outcome.said;
  return new CloudError({
    failure: outcome.kind,
    route: `${endpoint.method} ${endpoint.path}`,
    said,
    status: outcome.status,
    requestId: outcome.requestId,
  });
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
    over.abort();
    await timer;
  }
}

function wireRequest(session: Session, endpoint: Endpoint, region: string, call: Call) {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(call.path?.[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.append(name, String(value));
  const search = query.size === 0 ? "" : `?${query}`;
  const headers: Record<string, string> = { accept: "application/json", "user-agent": "kcloud" };
  if (endpoint.region) headers["x-region"] = region;
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  if (call.body !== undefined) headers["content-type"] = "application/json";
  const request = {
    method: endpoint.method,
    url: `${session.settings.baseUrl}${path}${search}`,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
  return { request, headers };
}

/** An id as one segment of a path: nothing in it may change the route. Colons stay as the cloud writes them. */
function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw new RangeError("an empty or relative id in a path");
  return encodeURIComponent(id).replaceAll("%3A", ":");
}
