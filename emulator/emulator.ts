import { createAdminApi } from "./admin/admin.ts";
import { createInventory, type Inventory } from "./admin/inventory.ts";
import { defaultApiKey } from "./auth/auth.ts";
import { createOneTimePasswords } from "./auth/one-time-password.ts";
import { createFaults, type Faults } from "./fault/fault.ts";
import { responseOf, unlessAborted, wireRequestOf } from "./http/fetch.ts";
import { createLog, type Log } from "./http/log.ts";
import { createRequestHandler } from "./http/request-handler.ts";
import { createRouter } from "./http/route.ts";
import { listen } from "./http/server.ts";
import type { ConnectionOutcome, WireRequest } from "./http/wire.ts";
import { notImplemented } from "./model/not-implemented.ts";
import { resourceKinds } from "./resource-kinds.ts";
import { changeSettings, type Settings, type SettingsInput, settingsSchema } from "./settings/setting.ts";
import { type Clock, realClock } from "./state/clock.ts";
import { createContentStore } from "./state/content.ts";
import { createStore } from "./state/store.ts";

export { type Clock, type ManualClock, manualClock, realClock } from "./state/clock.ts";

export type EmulatorOptions = SettingsInput & {
  /** Where time comes from; the machine's clock without it. */
  readonly clock?: Clock;
  /** Fixes every id and every draw. */
  readonly seed?: string;
  /** The key that is taken beside those made and the tokens of a sign-in; `emulator-key` without it. */
  readonly apiKey?: string;
  /** A file that holds every object, so that they outlive the process; written before an answer leaves. */
  readonly state?: string;
  /** Takes a line for each request. */
  readonly write?: (line: string) => void;
  /** Takes each one-time password; there is always one to delete with then, as on a screen next to one. */
  readonly showPassword?: (password: string) => void;
  /** Takes a text for each defect of the emulator itself; standard error without it. */
  readonly report?: (text: string) => void;
};

/** A cloud in a box: a `fetch` and, after `listen`, a server on the loopback interface. */
export type Emulator = {
  /** Answers a request as the cloud would; rejects where a connection would break. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The same without `Request` and `Response`, for a simulation. */
  exchange(exchange: WireRequest): Promise<ConnectionOutcome>;
  /** Serves on 127.0.0.1, on any free port unless one is given. */
  listen(options?: { port?: number }): Promise<{ url: string; close(): Promise<void> }>;
  /** Forgets every object, fault and logged request; ids begin anew. The settings stay. */
  reset(): void;
  /** Lays a change over the settings; throws a `ZodError` on unknown names and wrong values. */
  configure(change: SettingsInput): void;
  settings(): Settings;
  /** A new one-time password, for one delete that takes one. */
  password(): string;
  readonly clock: Clock;
  readonly seed: string;
  readonly log: Log;
  readonly faults: Faults;
  /** The objects behind the API: to look at, and to change or delete as somebody else would, in the console. */
  readonly inventory: Inventory;
};

const implemented = resourceKinds.flatMap((kind) => kind.operations);
const route = createRouter(implemented, notImplemented);
const names = [...implemented, ...notImplemented].map(({ name }) => name);

/** A new emulator. Throws `StateFileError` when the state file cannot be used. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { clock = realClock(), seed = "emulator", apiKey = defaultApiKey, state, write, ...more } = options;
  const { report = console.error, showPassword, ...settingsInput } = more;
  let settings = settingsSchema.parse(settingsInput);
  const store = createStore(seed, clock, state);
  const contents = createContentStore(state && `${state}.content`);
  const passwords = createOneTimePasswords(seed, showPassword);
  const log = createLog([apiKey], write);
  const faults = createFaults(seed, names);
  const handleRequest = createRequestHandler({
    clock,
    apiKey,
    route,
    store,
    contents,
    passwords,
    log,
    faults,
    settings: () => settings,
    report,
  });

  function receive(method: string, { pathname }: URL, parts: AsyncIterable<Uint8Array>) {
    const match = route(method, pathname, {});
    return match.kind === "implemented" && match.operation.bytes ? contents.receive(parts) : undefined;
  }

  const emulator: Emulator = {
    async fetch(input, init) {
      const request = new Request(input, init);
      const delivery = emulator.exchange(await wireRequestOf(request));
      return responseOf(await unlessAborted(delivery, request.signal), request.signal);
    },
    exchange: (incoming) =>
      incoming.url.pathname.startsWith("/_emulator/") ? adminApi(incoming) : handleRequest(incoming),
    listen: ({ port = 0 } = {}) => listen(emulator.exchange, port, report, receive),
    reset() {
      store.reset();
      store.save();
      contents.clear();
      passwords.clear();
      faults.clear();
      log.clear();
    },
    configure(change) {
      settings = changeSettings(settings, change);
    },
    settings: () => settings,
    password: () => passwords.issue(clock.now()),
    clock,
    seed,
    log,
    faults,
    inventory: createInventory(store, clock),
  };
  const adminApi = createAdminApi(emulator);
  return emulator;
}
