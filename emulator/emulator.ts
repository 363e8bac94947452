import { createAdminApi } from "./admin/admin.ts";
import { createInventory, type Inventory } from "./admin/inventory.ts";
import { defaultApiKey } from "./auth/auth.ts";
import { createFaults, type Faults } from "./fault/fault.ts";
import { responseOf, unlessAborted, wireRequestOf } from "./http/fetch.ts";
import { receiveJson } from "./http/json-content.ts";
import { createLog, type Log } from "./http/log.ts";
import { listen } from "./http/server.ts";
import type { ConnectionOutcome, WireRequest } from "./http/wire.ts";
import { type InventoryFile, inventoryOf, storedObjects } from "./inventory/inventory.ts";
import { notImplemented } from "./model/not-implemented.ts";
import { createRouter } from "./model/route.ts";
import { createRequestHandler, type Execution } from "./request-handler.ts";
import { resourceKinds } from "./resource-kinds.ts";
import { changeSettings, type Settings, type SettingsInput, settingsSchema } from "./settings/setting.ts";
import { type Clock, realClock } from "./state/clock.ts";
import { createContentStore } from "./state/content.ts";
import { createOneTimePasswords } from "./state/one-time-password.ts";
import { createStore } from "./state/store.ts";

export { accessTo } from "./access.ts";
export {
  InvalidInventoryError,
  type InventoryFile,
  parseInventory,
  readInventory,
} from "./inventory/inventory.ts";
export type { Execution } from "./request-handler.ts";
export { type Clock, type ManualClock, manualClock, realClock } from "./state/clock.ts";

export type EmulatorOptions = SettingsInput & {
  /** Clock of the emulator; default: the machine's clock. */
  readonly clock?: Clock;
  /** Seed of all ids and draws; default: `emulator`. */
  readonly seed?: string;
  /** API key that is always accepted; default: `emulator-key`. */
  readonly apiKey?: string;
  /** State file that stores all objects across processes; written before a response is sent. */
  readonly state?: string;
  /** Receives a log line for each request. */
  readonly write?: (line: string) => void;
  /** Receives each one-time password. If set, a new password is issued when no valid one is left. */
  readonly showPassword?: (password: string) => void;
  /** Receives a text for each defect of the emulator; default: standard error. */
  readonly report?: (text: string) => void;
  /** Receives each request that an operation has accepted or rejected, before the next one is executed. */
  readonly observe?: (execution: Execution) => void;
};

/** Emulated cloud: a `fetch` and, after `listen`, a server on the loopback interface. */
export type Emulator = {
  /** Returns the response of the emulated API; rejects when the connection breaks. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Handles a request like `fetch`, without `Request` and `Response`; for simulations. */
  exchange(exchange: WireRequest): Promise<ConnectionOutcome>;
  /** Serves on 127.0.0.1; the default port is any free one. */
  listen(options?: { port?: number }): Promise<{ url: string; close(): Promise<void> }>;
  /** Replaces all objects by those of an inventory, and takes its account and its regions. */
  load(inventory: InventoryFile): void;
  /** Returns the existing objects as an inventory; work in progress counts as ended. */
  snapshot(): InventoryFile;
  /** Deletes every object, fault and logged request and restarts ids. Settings are kept. */
  reset(): void;
  /** Merges a change into the settings; throws a `ZodError` for unknown names and invalid values. */
  configure(change: SettingsInput): void;
  settings(): Settings;
  /** Issues a one-time password, valid for one delete. */
  password(): string;
  readonly clock: Clock;
  readonly seed: string;
  readonly log: Log;
  readonly faults: Faults;
  /** Stored objects, for inspection and for changes that bypass the API, like the console. */
  readonly inventory: Inventory;
};

/** Returns true for the page of addresses and the routes that control the emulator. */
const isForAdmin = ({ method, url }: WireRequest): boolean =>
  url.pathname.startsWith("/_emulator/") || (method === "GET" && url.pathname === "/");

const implemented = resourceKinds.flatMap((kind) => kind.operations);
const route = createRouter(implemented, notImplemented);
const operationNames = [...implemented, ...notImplemented].map(({ name }) => name);

/** Creates an emulator. Throws `StateFileError` when the state file cannot be used. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { clock = realClock(), seed = "emulator", apiKey = defaultApiKey, state, write, ...more } = options;
  const { report = console.error, showPassword, observe, ...settingsInput } = more;
  let settings = settingsSchema.parse(settingsInput);
  const store = createStore(seed, clock, state);
  const contents = createContentStore(state && `${state}.content`);
  const passwords = createOneTimePasswords(seed, showPassword);
  const log = createLog([apiKey], write);
  const faults = createFaults(seed, operationNames);
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
    observe,
  });

  function receive(method: string, { pathname }: URL, parts: AsyncIterable<Uint8Array>) {
    const match = route(method, pathname, {});
    if (match.kind !== "implemented") return undefined;
    const { bytes, contentField } = match.operation;
    if (bytes) return contents.receive(parts).then((content) => ({ body: new Uint8Array(), content }));
    return contentField === undefined ? undefined : receiveJson(parts, contentField, contents);
  }

  const emulator: Emulator = {
    async fetch(input, init) {
      const request = new Request(input, init);
      const outcome = emulator.exchange(await wireRequestOf(request));
      return responseOf(await unlessAborted(outcome, request.signal), request.signal);
    },
    exchange: (incoming) => (isForAdmin(incoming) ? adminApi(incoming) : handleRequest(incoming)),
    listen: ({ port = 0 } = {}) => listen(emulator.exchange, port, report, receive),
    reset() {
      store.reset();
      store.save();
      contents.clear();
      passwords.clear();
      faults.clear();
      log.clear();
    },
    load(inventory) {
      const { account, customer, objects } = inventory;
      const { regions } = settings.assume;
      const used = objects.flatMap(({ krn }) => krn.split(":")[2] ?? []);
      settings = changeSettings(settings, {
        ...(account !== undefined && { account }),
        ...(customer !== undefined && { customer }),
        ...(regions.length > 0 && { assume: { regions: [...new Set([...regions, ...used])] } }),
      });
      emulator.reset();
      store.load(storedObjects(inventory, clock.now()));
      store.save();
    },
    snapshot: () => inventoryOf(store.resourcesByKind(), { ...settings, now: clock.now() }),
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
