import { authorize } from "./auth/auth.ts";
import { applyFault } from "./fault/apply.ts";
import type { Faults, InjectedFault } from "./fault/fault.ts";
import { formatFault } from "./fault/notation.ts";
import { requestMutators } from "./fault/request-mutator.ts";
import { htmlResponse } from "./fault/response-mutator.ts";
import { splitJson } from "./http/json-content.ts";
import type { LogEntry, LogWriter } from "./http/log.ts";
import { createThrottle } from "./http/throttle.ts";
import {
  type ConnectionOutcome,
  errorBody,
  Refusal,
  textOf,
  type WireRequest,
  type WireResponse,
  wireResponse,
} from "./http/wire.ts";
import { type Cloud, requireKnownRegion } from "./model/cloud.ts";
import { isForm, type RoutedRequest } from "./model/operation.ts";
import type { Match, Router } from "./model/route.ts";
import type { Assumptions } from "./settings/assumption/assumption.ts";
import type { Settings } from "./settings/setting.ts";
import { type Clock, httpTime, isManual } from "./state/clock.ts";
import { type ContentStore, contentOf } from "./state/content.ts";
import { seededDraw } from "./state/id.ts";
import type { OneTimePasswords } from "./state/one-time-password.ts";
import type { Store } from "./state/store.ts";

/** Parts of the emulator that requests use. */
export type RequestHandlerContext = {
  readonly clock: Clock;
  readonly apiKey: string;
  readonly route: Router;
  readonly store: Store;
  readonly contents: ContentStore;
  readonly passwords: OneTimePasswords;
  readonly log: LogWriter;
  readonly faults: Faults;
  readonly settings: () => Settings;
  readonly report: (text: string) => void;
  /** Receives each execution before the next one begins. */
  readonly observe: ((execution: Execution) => void) | undefined;
};

/** Request that an operation has accepted or rejected. */
export type Execution = {
  readonly operation: string;
  /** True for an operation that changes objects. */
  readonly changes: boolean;
  /** HTTP status of the response. */
  readonly status: number;
  /** KRNs of the objects that it created; without any, of those that it names, without the parents of others. */
  readonly objects: readonly string[];
  /** Switches of which another value may have led to another status or to other objects. */
  readonly decisions: readonly (keyof Assumptions)[];
};

const emptyBody = new Uint8Array();

/** Raw shell text, which the firewall in front of the service rejects (docs/contract.md#1.1). */
const shellText = /;|&&|\|\|/;

/** Returns true for bodies that the firewall blocks. Multipart forms always contain such text and pass. */
const hasShellText = (call: RoutedRequest): boolean => !isForm(call) && shellText.test(textOf(call.body));

/** Returns body and content of a request in the form that its operation expects. */
function partsOf(match: Match, { body, content }: WireRequest): Pick<RoutedRequest, "body" | "content"> {
  const { bytes, contentField } = match.kind === "implemented" ? match.operation : {};
  if (bytes) return { body: emptyBody, content: content ?? contentOf(body) };
  if (contentField === undefined || content !== undefined) return { body, content };
  return splitJson(body, contentField);
}

/** Creates the handler of API requests: route, throttle, fault before, execute, fault after. */
export function createRequestHandler(
  parts: RequestHandlerContext,
): (incoming: WireRequest) => Promise<ConnectionOutcome> {
  const { clock, log, settings } = parts;
  const throttle = createThrottle();

  function refuse(error: Refusal, headers: Record<string, string> = {}): WireResponse {
    return wireResponse({
      status: error.status,
      headers,
      body: errorBody(error, settings().assume.errorBody),
    });
  }

  /** Executes the operation. All changes of the cloud happen here, synchronously, so requests never interleave. */
  function execute(match: Match, call: RoutedRequest, entry: LogEntry): WireResponse {
    const decisions = new Set<keyof Assumptions>();
    // Objects that somebody has made without a request.
    parts.store.takeInserted();
    const response = run(match, call, entry, decisions);
    if (parts.observe !== undefined && match.kind === "implemented") {
      const { name, method, changes = method !== "GET" } = match.operation;
      const inserted = parts.store.takeInserted();
      const objects = inserted.length > 0 ? inserted : namedObjects(parts.store, call);
      parts.observe({
        operation: name,
        changes,
        status: response.status,
        objects,
        decisions: [...decisions],
      });
    }
    return response;
  }

  function run(match: Match, call: RoutedRequest, entry: LogEntry, decisions: Set<keyof Assumptions>) {
    try {
      if (match.kind !== "implemented") throw routingError(match, entry.method, entry.path);
      const { store, contents, passwords } = parts;
      const replica = () => seededDraw(store.seed, `replica of ${entry.id}`, 0);
      const { assume } = settings();
      const cloud: Cloud = {
        ...{ store, contents, passwords, settings: settings(), now: clock.now(), replica },
        decide(name) {
          decisions.add(name);
          return assume[name];
        },
      };
      if (!match.operation.open) authorize(cloud, call.headers.authorization, parts.apiKey);
      requireKnownRegion("x-region", call.headers["x-region"], settings());
      const answer = match.operation.run(cloud, call);
      // Comparing every object is too expensive for reads; a manual clock's time is saved on reads as well.
      const { method, changes = method !== "GET" } = match.operation;
      if (changes || isManual(clock)) parts.store.save();
      entry.executed = true;
      return wireResponse(answer);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      parts.report(`defect in ${entry.operation}: ${error instanceof Error ? error.stack : String(error)}`);
      return refuse(new Refusal(500, "internal error of the emulator; its standard error has the details"));
    }
  }

  async function delay(fault: InjectedFault, signal: AbortSignal | undefined): Promise<void> {
    if (fault.delayMs !== undefined) await clock.sleep(fault.delayMs, signal);
  }

  async function serve(
    incoming: WireRequest,
    match: Match,
    call: RoutedRequest,
    entry: LogEntry,
  ): Promise<ConnectionOutcome> {
    const { method, url, signal } = incoming;
    const wait = throttle(clock.now(), settings().rateLimit);
    if (wait > 0) {
      return refuse(new Refusal(429, "rate limit exceeded"), { "retry-after": String(Math.ceil(wait)) });
    }
    const fault = parts.faults.applied({
      operation: entry.operation,
      method,
      path: url.pathname,
      text: () => url.pathname + url.search + textOf(incoming.body),
    });
    if (fault) entry.fault = formatFault(fault);
    if (settings().latencyMs > 0) await clock.sleep(settings().latencyMs, signal);
    if (settings().assume.firewall && hasShellText(call)) return htmlResponse(403);
    if (fault?.when === "before") {
      await delay(fault, signal);
      const instead = applyFault(fault.kind, fault, undefined);
      if (instead) return instead;
    }
    const received = requestMutators[fault?.kind ?? ""]?.(call.query) ?? call.query;
    const answer = execute(match, { ...call, query: received }, entry);
    if (answer.afterMs !== undefined) await clock.sleep(answer.afterMs, signal);
    if (fault?.when !== "after") return answer;
    await delay(fault, signal);
    return applyFault(fault.kind, fault, answer) ?? answer;
  }

  return async (incoming) => {
    const { method, url, headers } = incoming;
    const startedAt = clock.now();
    const { search, origin } = url;
    const pathname = withoutPrefix(url.pathname, settings().assume.inferencePrefix);
    const query = search === "" ? {} : Object.fromEntries(new URLSearchParams(search));
    const match = parts.route(method, pathname, query);
    const known = match.kind === "implemented" || match.kind === "not-implemented" ? match : undefined;
    const path = known?.path ?? {};
    const call: RoutedRequest = { path, query, headers, origin, ...partsOf(match, incoming) };
    const operation = known?.operation.name;
    const template = known?.operation.path ?? pathname;
    const entry = log.begin(
      { operation, method, template, path, query, headers, body: call.body },
      startedAt,
    );
    const outcome = await serve(incoming, match, call, entry).finally(() => incoming.content?.discard());
    log.end(entry, outcome.kind === "answer" ? outcome.status : outcome.kind, clock.now() - startedAt);
    if (outcome.kind !== "answer") return outcome;
    const date = httpTime(clock.now());
    return { ...outcome, headers: { date, ...outcome.headers, "x-request-id": entry.id } };
  };
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Returns the KRNs of the objects that a request names, without the parents of others. */
function namedObjects(store: Store, { path, query, body }: RoutedRequest): string[] {
  const texts = [...Object.values(path), ...Object.values(query), textOf(body)];
  // The last UUID of a KRN is that of the object.
  const ids = texts.flatMap((text) =>
    text.split(/[^\w:.-]+/).flatMap((word) => word.match(uuid)?.at(-1)?.toLowerCase() ?? []),
  );
  const named = [...new Set(ids)].flatMap((id) => store.find(id)?.resource ?? []);
  return named.map(({ krn }) => krn).filter((krn) => !named.some(({ parents }) => parents.includes(krn)));
}

/** Returns the path in the contract's form; with a prefix, the bare inference routes do not exist. */
function withoutPrefix(path: string, prefix: string): string {
  if (prefix === "") return path;
  if (path.startsWith("/v1/inference/")) return `/without-prefix${path}`;
  return path.startsWith(`${prefix}/v1/inference/`) ? path.slice(prefix.length) : path;
}

/** Returns the error for a request without an implemented operation. */
function routingError(match: Exclude<Match, { kind: "implemented" }>, method: string, path: string): Refusal {
  switch (match.kind) {
    case "not-implemented": {
      const { name, section } = match.operation;
      const message = `${name} is not implemented in the emulator (contract section ${section})`;
      return new Refusal(501, message, { operation: name, section });
    }
    case "unselected": {
      const choices = match.operations.map((operation) => new URLSearchParams(operation.select).toString());
      return new Refusal(400, `query: one of ${choices.join(", ")} is required`);
    }
    case "wrong-method":
      return new Refusal(405, `${method} is not allowed here; ${match.allowed.join(", ")} is`);
    case "unknown":
      return new Refusal(404, `no operation of the contract is ${method} ${path}`);
  }
}
