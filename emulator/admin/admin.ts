import * as z from "zod";
import { type Fault, FaultError, type Faults } from "../fault/fault.ts";
import { parseFault } from "../fault/notation.ts";
import type { Log } from "../http/log.ts";
import {
  type OperationResponse,
  Refusal,
  type WireRequest,
  type WireResponse,
  wireResponse,
} from "../http/wire.ts";
import { InvalidInventoryError, type InventoryFile, parseInventory } from "../inventory/inventory.ts";
import { matchPath, parsePattern, splitPath } from "../model/route.ts";
import { listOperations } from "../operation-list.ts";
import { explainProblems, type Settings, type SettingsInput } from "../settings/setting.ts";
import { type Clock, httpTime, isManual, isoTime } from "../state/clock.ts";
import type { Inventory } from "./inventory.ts";

/** Members of the emulator that the admin API uses. */
export type AdminTarget = {
  readonly clock: Clock;
  readonly seed: string;
  readonly log: Log;
  readonly faults: Faults;
  readonly inventory: Inventory;
  settings(): Settings;
  configure(change: SettingsInput): void;
  password(): string;
  reset(): void;
  load(inventory: InventoryFile): void;
  snapshot(): InventoryFile;
};

type AdminRequest = { path: Readonly<Record<string, string>>; query: URLSearchParams; body: unknown };
type Route = {
  method: string;
  path: string;
  /** Effect or response in a few words, for the page at `/`. */
  about: string;
  handle(emulator: AdminTarget, call: AdminRequest): OperationResponse | Promise<OperationResponse>;
};

const faultSchema = z.strictObject({
  target: z.string(),
  kind: z.string(),
  when: z.enum(["before", "after"]).optional(),
  from: z.number().optional(),
  times: z.number().optional(),
  probability: z.number().optional(),
  delayMs: z.number().optional(),
  body: z.unknown().optional(),
  retryAfter: z.string().optional(),
  location: z.string().optional(),
  field: z.string().optional(),
  word: z.string().optional(),
  naming: z.string().optional(),
});
/** Fault to add: the notation of `--fault` in `spec`, or the fields of a fault. */
const newFault = z.strictObject({ spec: z.string() }).or(faultSchema);

const done: OperationResponse = { status: 204 };
const ok = (body: unknown): OperationResponse => ({ status: 200, body });

function clockOf(emulator: AdminTarget) {
  const now = emulator.clock.now();
  return { kind: isManual(emulator.clock) ? "manual" : "real", now, time: isoTime(now) };
}

function logFilter(query: URLSearchParams) {
  return { operation: query.get("operation") ?? undefined, method: query.get("method") ?? undefined };
}

/** Routes under `/_emulator`; they are not part of the emulated API. */
const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/_emulator/health",
    about: "status, seed and clock",
    handle: (emulator) => ok({ status: "ok", seed: emulator.seed, clock: clockOf(emulator) }),
  },
  {
    method: "POST",
    path: "/_emulator/reset",
    about: "removes all objects, faults and log entries",
    handle(emulator) {
      emulator.reset();
      return done;
    },
  },
  {
    method: "GET",
    path: "/_emulator/operations",
    about: "operations of the API",
    handle: () => ok(listOperations()),
  },
  {
    method: "GET",
    path: "/_emulator/settings",
    about: "settings",
    handle: (emulator) => ok(emulator.settings()),
  },
  {
    method: "PATCH",
    path: "/_emulator/settings",
    about: 'changes settings, as in {"taskMs":2000}',
    handle(emulator, { body }) {
      emulator.configure(z.looseObject({}).parse(body));
      return ok(emulator.settings());
    },
  },
  {
    method: "GET",
    path: "/_emulator/clock",
    about: "kind and time of the clock",
    handle: (emulator) => ok(clockOf(emulator)),
  },
  {
    method: "POST",
    path: "/_emulator/clock/advance",
    about: 'advances a manual clock: {"ms":1000}',
    async handle(emulator, { body }) {
      const { ms } = z.strictObject({ ms: z.int().min(0) }).parse(body);
      if (!isManual(emulator.clock))
        throw new Refusal(409, "only a manual clock can be advanced; start the emulator with --clock manual");
      await emulator.clock.advance(ms);
      return ok(clockOf(emulator));
    },
  },
  {
    method: "POST",
    path: "/_emulator/otp",
    about: "issues a one-time password for one delete",
    handle: (emulator) => ({ status: 201, body: emulator.password() }),
  },
  {
    method: "GET",
    path: "/_emulator/faults",
    about: "faults, with the number of requests that they changed",
    handle: (emulator) => ok(emulator.faults.list()),
  },
  {
    method: "POST",
    path: "/_emulator/faults",
    about: 'adds a fault, as in {"spec":"create_vpc#1=503"}',
    handle(emulator, { body }) {
      const fault = newFault.parse(body);
      const id = emulator.faults.add("spec" in fault ? parseFault(fault.spec) : (fault as Fault));
      return { status: 201, body: { id } };
    },
  },
  {
    method: "DELETE",
    path: "/_emulator/faults",
    about: "removes all faults",
    handle(emulator) {
      emulator.faults.clear();
      return done;
    },
  },
  {
    method: "DELETE",
    path: "/_emulator/faults/{id}",
    about: "removes a fault",
    handle(emulator, { path: { id = "" } }) {
      if (!emulator.faults.remove(id)) throw new Refusal(404, `no fault ${id}`);
      return done;
    },
  },
  {
    method: "GET",
    path: "/_emulator/log",
    about: "requests; ?operation=NAME and ?method=POST filter them",
    handle: (emulator, { query }) => ok(emulator.log.entries(logFilter(query))),
  },
  {
    method: "GET",
    path: "/_emulator/log/counts",
    about: "number of requests by operation",
    handle: (emulator) => ok(emulator.log.counts()),
  },
  {
    method: "DELETE",
    path: "/_emulator/log",
    about: "empties the log",
    handle(emulator) {
      emulator.log.clear();
      return done;
    },
  },
  {
    method: "GET",
    path: "/_emulator/inventory",
    about: "all objects as an inventory, the form of --inventory",
    handle: (emulator) => ok(emulator.snapshot()),
  },
  {
    method: "PUT",
    path: "/_emulator/inventory",
    about: "replaces all objects by those of an inventory",
    handle(emulator, { body }) {
      emulator.load(parseInventory(body));
      return done;
    },
  },
  {
    method: "GET",
    path: "/_emulator/state",
    about: "all objects",
    handle: (emulator) => ok(emulator.inventory.list()),
  },
  {
    method: "GET",
    path: "/_emulator/state/{krn}",
    about: "an object",
    handle(emulator, { path: { krn = "" } }) {
      const item = emulator.inventory.get(krn);
      if (!item) throw new Refusal(404, `no object ${krn}`);
      return ok(item);
    },
  },
  {
    method: "PATCH",
    path: "/_emulator/state/{krn}",
    about: "changes fields of an object, as somebody outside of an engine",
    handle(emulator, { path: { krn = "" }, body }) {
      emulator.inventory.change(krn, z.looseObject({}).parse(body));
      return ok(emulator.inventory.get(krn));
    },
  },
  {
    method: "DELETE",
    path: "/_emulator/state/{krn}",
    about: "removes an object, as somebody outside of an engine",
    handle(emulator, { path: { krn = "" } }) {
      emulator.inventory.remove(krn);
      return done;
    },
  },
];

/** Returns the page at `/`: the routes under `/_emulator` with the base address of the request. */
function startPage(base: string): string {
  const rows = routes.map(({ method, path, about }) => `  ${`${method} ${path}`.padEnd(34)}${about}`);
  return `An emulator of the API. Its address for SERVICE_BASE_URL is ${base}

Routes that control it, with bodies in JSON and without credentials:

${rows.join("\n")}

kcloud emulator --operations lists the operations of the API; kcloud help emulator lists all options.
`;
}

function parseAdminBody(bytes: Uint8Array): unknown {
  try {
    return bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal(400, "body: not valid JSON");
  }
}

/** Converts an error into a response; unexpected ones, such as a file that cannot be written, become 500. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof InvalidInventoryError || error instanceof FaultError)
    return new Refusal(400, error.message);
  if (error instanceof z.ZodError) return new Refusal(400, explainProblems(error));
  return new Refusal(500, String(error));
}

/** Creates the handler of `GET /` and of the routes under `/_emulator/`. */
export function createAdminApi(emulator: AdminTarget) {
  return async ({ method, url, body }: WireRequest): Promise<WireResponse> => {
    if (url.pathname === "/") {
      // Of the emulated clock, as the responses of the API: the doctor compares it.
      const headers = { date: httpTime(emulator.clock.now()) };
      return wireResponse({ status: 200, headers, body: startPage(url.origin) });
    }
    const onPath = routes.flatMap((route) => {
      const path = matchPath(parsePattern(route.path), splitPath(url.pathname));
      return path ? [{ route, path }] : [];
    });
    const entry = onPath.find(({ route }) => route.method === method);
    try {
      if (!entry) {
        const methods = onPath.map(({ route }) => route.method).join(", ");
        throw methods === ""
          ? new Refusal(404, `no admin route ${url.pathname}`)
          : new Refusal(405, `${method} is not allowed here; ${methods} is`);
      }
      const call = { path: entry.path, query: new URLSearchParams(url.search), body: parseAdminBody(body) };
      return wireResponse(await entry.route.handle(emulator, call));
    } catch (error) {
      const { status, message } = refusalOf(error);
      return wireResponse({ status, body: { message } });
    }
  };
}
