import { authorize } from "./auth.ts";
import { type Clock, isManual } from "./clock.ts";
import { type Contents, contentOf } from "./content.ts";
import type { Faults, PlacedFault } from "./fault.ts";
import { htmlAnswer, strike } from "./fault-kind.ts";
import { formatFault } from "./fault-spec.ts";
import type { LogEntry, LogWriter } from "./log.ts";
import type { OneTimePasswords } from "./one-time-password.ts";
import { isForm, type RawCall } from "./operation.ts";
import type { Match, Router } from "./route.ts";
import type { Settings } from "./setting.ts";
import type { Store } from "./store.ts";
import { createThrottle } from "./throttle.ts";
import { type Delivery, type Exchange, errorBody, Refusal, type WireAnswer, wireAnswer } from "./wire.ts";

/** What an exchange works with. */
export type Parts = {
  readonly clock: Clock;
  readonly apiKey: string;
  readonly route: Router;
  readonly store: Store;
  readonly contents: Contents;
  readonly passwords: OneTimePasswords;
  readonly log: LogWriter;
  readonly faults: Faults;
  readonly settings: () => Settings;
  readonly report: (text: string) => void;
};

const nothing = new Uint8Array();
const decoder = new TextDecoder();

/** Raw shell text, which the firewall in front of the service refuses (contract 1.1). */
const shellText = /;|&&|\|\|/;

/** Every form has such text between its fields, and passes. */
const isSuspect = (call: RawCall): boolean => !isForm(call) && shellText.test(decoder.decode(call.body));

/** Answers requests to the cloud: route, throttle, fault before, execute, fault after. */
export function createExchange(parts: Parts): (incoming: Exchange) => Promise<Delivery> {
  const { clock, log, settings } = parts;
  const throttle = createThrottle();

  function refuse(error: Refusal, headers: Record<string, string> = {}): WireAnswer {
    return wireAnswer({ status: error.status, headers, body: errorBody(error, settings().assume.errorBody) });
  }

  /** The one place where the cloud changes. It waits for nothing, so no two requests ever mix. */
  function execute(match: Match, call: RawCall, entry: LogEntry): WireAnswer {
    try {
      if (match.kind !== "built") throw explainMiss(match, entry.method, entry.path);
      const { store, contents, passwords } = parts;
      const cloud = { store, contents, passwords, settings: settings(), now: clock.now() };
      if (!match.operation.open) authorize(cloud, call.headers.authorization, parts.apiKey);
      requireRegion(call.headers["x-region"], settings().assume.regions);
      const answer = match.operation.run(cloud, call);
      // Looking at every object for a change costs too much to be done for a read; a manual clock's time is kept too.
      const { method, changes = method !== "GET" } = match.operation;
      if (changes || isManual(clock)) parts.store.save();
      entry.executed = true;
      return wireAnswer(answer);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      parts.report(`defect in ${entry.operation}: ${error instanceof Error ? error.stack : String(error)}`);
      return refuse(new Refusal(500, "the emulator itself failed; its standard error says how"));
    }
  }

  async function delay(fault: PlacedFault, signal: AbortSignal | undefined): Promise<void> {
    if (fault.delayMs !== undefined) await clock.sleep(fault.delayMs, signal);
  }

  async function serve(incoming: Exchange, match: Match, call: RawCall, entry: LogEntry): Promise<Delivery> {
    const { method, url, signal } = incoming;
    const wait = throttle(clock.now(), settings().rateLimit);
    if (wait > 0) {
      return refuse(new Refusal(429, "rate limit exceeded"), { "retry-after": String(Math.ceil(wait)) });
    }
    const fault = parts.faults.meet({ operation: entry.operation, method, path: url.pathname });
    if (fault) entry.fault = formatFault(fault);
    if (settings().latencyMs > 0) await clock.sleep(settings().latencyMs, signal);
    if (settings().assume.firewall && isSuspect(call)) return htmlAnswer(403);
    if (fault?.when === "before") {
      await delay(fault, signal);
      const instead = strike(fault.kind, fault, undefined);
      if (instead) return instead;
    }
    const answer = execute(match, call, entry);
    if (answer.afterMs !== undefined) await clock.sleep(answer.afterMs, signal);
    if (fault?.when !== "after") return answer;
    await delay(fault, signal);
    return strike(fault.kind, fault, answer) ?? answer;
  }

  return async (incoming) => {
    const { method, url, headers, body } = incoming;
    const startedAt = clock.now();
    const { pathname, search, origin } = url;
    const query = search === "" ? {} : Object.fromEntries(url.searchParams);
    const match = parts.route(method, pathname, query);
    const known = match.kind === "built" || match.kind === "unbuilt" ? match : undefined;
    const path = known?.path ?? {};
    const bytes = match.kind === "built" && match.operation.bytes;
    const call: RawCall = {
      path,
      query,
      headers,
      origin,
      body: bytes ? nothing : body,
      content: bytes ? (incoming.content ?? contentOf(body)) : undefined,
    };
    const operation = known?.operation.name;
    const template = known?.operation.path ?? pathname;
    const entry = log.begin(
      { operation, method, template, path, query, headers, body: call.body },
      startedAt,
    );
    const delivery = await serve(incoming, match, call, entry).finally(() => incoming.content?.discard());
    log.end(entry, delivery.kind === "answer" ? delivery.status : delivery.kind, clock.now() - startedAt);
    if (delivery.kind !== "answer") return delivery;
    return { ...delivery, headers: { ...delivery.headers, "x-request-id": entry.id } };
  };
}

function requireRegion(region: string | undefined, known: readonly string[]): void {
  if (region === undefined || known.length === 0 || known.includes(region)) return;
  throw new Refusal(400, `header x-region: no region ${region}; there are ${known.join(", ")}`);
}

/** Why a request has no operation that is built. */
function explainMiss(match: Exclude<Match, { kind: "built" }>, method: string, path: string): Refusal {
  switch (match.kind) {
    case "unbuilt": {
      const { name, section } = match.operation;
      const message = `${name} is not built in the emulator (contract section ${section})`;
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
