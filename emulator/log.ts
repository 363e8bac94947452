import { isoTime } from "./clock.ts";

export type LogEntry = {
  readonly id: string;
  readonly at: string;
  /** The operation's name; undefined for paths that no contract knows. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the operation was executed; with a fault after it, the client does not know. */
  executed: boolean;
  /** The HTTP status that was sent, or `reset`, `fin`, `hang`; undefined while the request is under way. */
  outcome: number | "reset" | "fin" | "hang" | undefined;
  /** The fault that struck, in the notation of `--fault`. */
  fault: string | undefined;
  milliseconds: number | undefined;
};

export type LogFilter = { readonly operation?: string | undefined; readonly method?: string | undefined };

export type Log = {
  /** The newest thousand, oldest first. */
  entries(filter?: LogFilter): readonly LogEntry[];
  count(filter?: LogFilter): number;
  /** How often each operation was called. */
  counts(): Record<string, number>;
  clear(): void;
};

const mask = "***";
const secretName =
  /authorization|secret|passw|otp|token|api[-_]?key|access[-_]?key|user[-_]?data|cookie|account-id/i;
const maxBody = 16_384;

/** Masks values by the names of their fields, at any depth, and the API key wherever it stands. */
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

const decoder = new TextDecoder();

function readable(body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  if (body.length > maxBody) return `${body.length} bytes`;
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // What is no JSON has no field names to mask by.
    return `${body.length} bytes that are not JSON`;
  }
}

export type LogRequest = {
  readonly operation: string | undefined;
  readonly method: string;
  /** The operation's path; the path as it came when there is no operation. */
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

/** An entry, with what is still to be masked into it. */
type Noted = { readonly entry: Writable<LogEntry>; request: LogRequest | undefined; readonly now: number };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A log of the newest `capacity` requests; secrets never get out of it. Most entries are never read: it masks those that are. */
export function createLog(
  secrets: readonly string[],
  write?: (line: string) => void,
  capacity = 1000,
): LogWriter {
  let noted: Noted[] = [];
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
    const one: Noted = { entry, request, now };
    noted.push(one);
    if (noted.length > capacity) noted.shift();
    // Not put off: what is written at once, what is too much to be kept, and a path that its own answer quotes.
    const { operation = "unknown", body } = request;
    if (write !== undefined || body.length > maxBody || operation === "unknown") shown(one);
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    return entry;
  }

  function shown(one: Noted): LogEntry {
    const { entry, request, now } = one;
    if (request !== undefined) {
      entry.at = isoTime(now);
      entry.path = maskPath(request);
      entry.query = maskSecrets(request.query, secrets) as Record<string, string>;
      entry.headers = maskSecrets(request.headers, secrets) as Record<string, string>;
      entry.body = maskSecrets(readable(request.body), secrets);
      one.request = undefined;
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
    noted.filter(
      ({ entry }) =>
        (operation === undefined || entry.operation === operation) &&
        (method === undefined || entry.method === method),
    );

  const reader: Log = {
    entries: (filter = {}) => matching(filter).map(shown),
    count: (filter = {}) => matching(filter).length,
    counts: () => Object.fromEntries(counts),
    clear() {
      noted = [];
      counts.clear();
    },
  };
  return { ...reader, begin, end };
}
