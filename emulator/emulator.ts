import { authorize, defaultApiKey } from "./auth.ts";
import { type Clock, realClock } from "./clock.ts";
import { createControl } from "./control.ts";
import { createFaults, type Faults, type PlacedFault } from "./fault.ts";
import { htmlAnswer, strike } from "./fault-kind.ts";
import { formatFault } from "./fault-spec.ts";
import { exchangeOf, responseOf } from "./fetch.ts";
import { createInventory, type Inventory } from "./inventory.ts";
import { createLog, type Log, type LogEntry } from "./log.ts";
import { nouns } from "./nouns.ts";
import type { RawCall } from "./operation.ts";
import { createRouter, type Match } from "./route.ts";
import { listen } from "./server.ts";
import { changeSettings, type Settings, type SettingsInput, settingsSchema } from "./setting.ts";
import { createStore } from "./store.ts";
import { createThrottle } from "./throttle.ts";
import { unbuilt } from "./unbuilt.ts";
import { type Delivery, type Exchange, errorBody, Refusal, type WireAnswer, wireAnswer } from "./wire.ts";

export { type Clock, type ManualClock, manualClock, realClock } from "./clock.ts";
export type EmulatorOptions = SettingsInput & {
  /** Where time comes from; the machine's clock without it. */
  readonly clock?: Clock;
  /** Fixes every id and every draw. */
  readonly seed?: string;
  /** The only credential that is taken; `emulator-key` without it. */
  readonly apiKey?: string;
  /** A file that holds every object, so that they outlive the process; written before an answer leaves. */
  readonly state?: string;
  /** Takes a line for each request. */
  readonly write?: (line: string) => void;
  /** Takes a text for each defect of the emulator itself; standard error without it. */
  readonly report?: (text: string) => void;
};

/** A cloud in a box: a `fetch` and, after `listen`, a server on the loopback interface. */
export type Emulator = {
  /** Answers a request as the cloud would; rejects where a connection would break. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The same without `Request` and `Response`, for a simulation. */
  exchange(exchange: Exchange): Promise<Delivery>;
  /** Serves on 127.0.0.1, on any free port unless one is given. */
  listen(options?: { port?: number }): Promise<{ url: string; close(): Promise<void> }>;
  /** Forgets every object, fault and logged request; ids begin anew. The settings stay. */
  reset(): void;
  /** Lays a change over the settings; throws a `ZodError` on unknown names and wrong values. */
  configure(change: SettingsInput): void;
  settings(): Settings;
  readonly clock: Clock;
  readonly seed: string;
  readonly log: Log;
  readonly faults: Faults;
  /** The objects behind the API: to look at, and to change or delete as somebody else would, in the console. */
  readonly inventory: Inventory;
};

const shellText = /[;]|&&|\|\|/;

/** A new emulator. Throws `StateFileError` when the state file cannot be used. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const {
    clock = realClock(),
    seed = "emulator",
    apiKey = defaultApiKey,
    state,
    write,
    report = console.error,
    ...knobs
  } = options;
  let settings: Settings = settingsSchema.parse(knobs);
  const built = nouns.flatMap((noun) => noun.operations);
  const route = createRouter(built, unbuilt);
  const store = createStore(seed, clock, state);
  const log = createLog([apiKey], write);
  const operations = [...built, ...unbuilt].map(({ name }) => name);
  const faults = createFaults(seed, operations);
  const throttle = createThrottle();
  const inventory = createInventory(store, clock);

  function refusal(error: Refusal, headers: Record<string, string> = {}): WireAnswer {
    return wireAnswer({ status: error.status, headers, body: errorBody(error, settings.assume.errorBody) });
  }

  /** Executes the operation: the one place where anything changes. It does not wait for anything. */
  function execute(match: Match, call: RawCall, entry: LogEntry): WireAnswer {
    try {
      if (match.kind !== "built") throw explainMiss(match, entry.method, entry.path);
      const { operation } = match;
      if (!operation.open) authorize(call.headers, apiKey);
      requireRegion(call.headers["x-region"], settings.assume.regions);
      const answer = operation.run({ store, settings, now: clock.now() }, call);
      store.save();
      entry.executed = true;
      return wireAnswer(answer);
    } catch (error) {
      if (error instanceof Refusal) return refusal(error);
      report(`defect in ${entry.operation}: ${error instanceof Error ? error.stack : String(error)}`);
      return refusal(new Refusal(500, "the emulator itself failed; its log says how"));
    }
  }

  async function serve(exchange: Exchange, match: Match, call: RawCall, entry: LogEntry): Promise<Delivery> {
    const wait = throttle.take(clock.now(), settings.rateLimit);
    if (wait > 0) {
      return refusal(new Refusal(429, "rate limit exceeded"), { "retry-after": String(Math.ceil(wait)) });
    }
    const fault = faults.meet({
      operation: entry.operation,
      method: exchange.method,
      path: exchange.url.pathname,
    });
    if (fault) entry.fault = formatFault(fault);
    if (settings.latencyMs > 0) await clock.sleep(settings.latencyMs, exchange.signal);
    if (settings.assume.firewall && shellText.test(new TextDecoder().decode(exchange.body)))
      return htmlAnswer(403);
    if (fault?.when === "before") {
      await delay(fault, exchange.signal);
      const instead = strike(fault.kind, fault, undefined);
      if (instead) return instead;
    }
    const answer = execute(match, call, entry);
    if (fault?.when !== "after") return answer;
    await delay(fault, exchange.signal);
    return strike(fault.kind, fault, answer) ?? answer;
  }

  async function delay(fault: PlacedFault, signal: AbortSignal | undefined): Promise<void> {
    if (fault.delayMs !== undefined) await clock.sleep(fault.delayMs, signal);
  }

  async function exchange(incoming: Exchange): Promise<Delivery> {
    const { method, url, headers, body } = incoming;
    if (url.pathname.startsWith("/_emulator/")) return control(incoming);
    const startedAt = clock.now();
    const query = Object.fromEntries(url.searchParams);
    const match = route(method, url.pathname, query);
    const known = match.kind === "built" || match.kind === "unbuilt" ? match : undefined;
    const path = known?.path ?? {};
    const operation = known?.operation.name;
    const entry = log.begin(
      { operation, method, pathname: url.pathname, pathParameters: path, query, headers, body },
      startedAt,
    );
    const call = { path, query, headers, body };
    const delivery = await serve(incoming, match, call, entry);
    log.end(entry, delivery.kind === "answer" ? delivery.status : delivery.kind, clock.now() - startedAt);
    if (delivery.kind !== "answer") return delivery;
    return { ...delivery, headers: { ...delivery.headers, "x-request-id": entry.id } };
  }

  const emulator: Emulator = {
    async fetch(input, init) {
      const request = new Request(input, init);
      return responseOf(await exchange(await exchangeOf(request)), request.signal);
    },
    exchange,
    listen: (where = {}) => listen(exchange, where.port ?? 0),
    reset() {
      store.reset();
      store.save();
      faults.clear();
      log.clear();
      throttle.reset();
    },
    configure(change) {
      settings = changeSettings(settings, change);
    },
    settings: () => settings,
    clock,
    seed,
    log,
    faults,
    inventory,
  };
  const control = createControl(emulator);
  return emulator;
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
