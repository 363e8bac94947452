import { isoTime } from "../state/clock.ts";
import { textOf } from "./wire.ts";

export type LogEntry = {
  readonly id: string;
  readonly at: string;
  /** Name of the operation; undefined for paths outside the contract. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** True when the operation was executed, even if a fault replaced its response. */
  executed: boolean;
  /** HTTP status of the response, or `reset`, `fin`, `hang`; undefined while the request is in progress. */
  outcome: number | "reset" | "fin" | "hang" | undefined;
  /** Fault that was applied, in the notation of `--fault`. */
  fault: string | undefined;
  milliseconds: number | undefined;
};

export type LogFilter = { readonly operation?: string | undefined; readonly method?: string | undefined };

export type Log = {
  /** Returns the newest thousand entries, oldest first. */
  entries(filter?: LogFilter): readonly LogEntry[];
  count(filter?: LogFilter): number;
  /** Returns the number of calls of each operation. */
  counts(): Record<string, number>;
  clear(): void;
};

const mask = "***";
const secretName =
  /authorization|secret|passw|otp|token|api[-_]?key|access[-_]?key|user[-_]?data|cookie|account-id/i;
const maxLoggedBody = 16_384;

/** Masks values by the names of their fields at any depth, and the given secrets in any text. */
export function maskSecrets(value: unknown, secrets: readonly string[], name = ""): unknown {
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) return value.map((item) => maskSecrets(item, secrets, name));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, maskSecrets(item, secrets, key)]),
    );
  }
  if (secretName.test(name)) return mask;
  if (typeof value !== "string") return value;
  return secrets.reduce((text, secret) => text.replaceAll(secret, mask), value);
}

function readable(body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  if (body.length > maxLoggedBody) return `${body.length} bytes`;
  try {
    return JSON.parse(textOf(body));
  } catch {
    // Without JSON there are no field names to mask by.
    return `${body.length} bytes that are not JSON`;
  }
}

export type LogRequest = {
  readonly operation: string | undefined;
  readonly method: string;
  /** Path pattern of the operation; the requested path when there is no operation. */
  readonly template: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type LogWriter = Log & {
  begin(request: LogRequest, now: number): LogEntry;
  end(entry: LogEntry, outcome: LogEntry["outcome"], milliseconds: number): void;
};

/** Entry whose secrets are not masked yet, with its request. */
type PendingEntry = {
  readonly entry: Writable<LogEntry>;
  request: LogRequest | undefined;
  readonly now: number;
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Creates a log of the newest `capacity` requests. Masks the secrets of an entry when it is read, since most entries never are.
 */
export function createLog(
  secrets: readonly string[],
  write?: (line: string) => void,
  capacity = 1000,
): LogWriter {
  let pending: PendingEntry[] = [];
  const counts = new Map<string, number>();
  let sequence = 0;

  function maskPath(request: LogRequest): string {
    const path = request.template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      secretName.test(name) ? mask : (request.path[name] ?? ""),
    );
    return maskSecrets(path, secrets) as string;
  }

  function begin(request: LogRequest, now: number): LogEntry {
    sequence += 1;
    const entry: LogEntry = {
      id: `request-${sequence}`,
      at: "",
      operation: request.operation,
      method: request.method,
      path: "",
      query: {},
      headers: {},
      body: undefined,
      executed: false,
      outcome: undefined,
      fault: undefined,
      milliseconds: undefined,
    };
    const pendingEntry: PendingEntry = { entry, request, now };
    pending.push(pendingEntry);
    if (pending.length > capacity) pending.shift();
    // Masks at once: entries that are written immediately, large bodies, and unknown paths, which the response contains.
    const { operation, body } = request;
    if (write !== undefined || body.length > maxLoggedBody || operation === undefined) masked(pendingEntry);
    const name = operation ?? "unknown";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return entry;
  }

  /** Returns an entry with its secrets masked. */
  function masked(pendingEntry: PendingEntry): LogEntry {
    const { entry, request, now } = pendingEntry;
    if (request !== undefined) {
      entry.at = isoTime(now);
      entry.path = maskPath(request);
      entry.query = maskSecrets(request.query, secrets) as Record<string, string>;
      entry.headers = maskSecrets(request.headers, secrets) as Record<string, string>;
      entry.body = maskSecrets(readable(request.body), secrets);
      pendingEntry.request = undefined;
    }
    return entry;
  }

  function end(entry: LogEntry, outcome: LogEntry["outcome"], milliseconds: number): void {
    entry.outcome = outcome;
    entry.milliseconds = milliseconds;
    const fault = entry.fault === undefined ? "" : `  fault ${entry.fault}`;
    write?.(
      `${entry.at} ${entry.id} ${entry.method} ${entry.path} ${entry.operation ?? "-"} ${outcome} ${milliseconds} ms${fault}`,
    );
  }

  const matching = ({ operation, method }: LogFilter) =>
    pending.filter(
      ({ entry }) =>
        (operation === undefined || entry.operation === operation) &&
        (method === undefined || entry.method === method),
    );

  const reader: Log = {
    entries: (filter = {}) => matching(filter).map(masked),
    count: (filter = {}) => matching(filter).length,
    counts: () => Object.fromEntries(counts),
    clear() {
      pending = [];
      counts.clear();
    },
  };
  return { ...reader, begin, end };
}
