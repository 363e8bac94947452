import type { Lifecycle, Operation, Stage } from "./lifecycle.ts";
import type { Exchange } from "./proxy.ts";

/**
 * Recording without details that differ between runs: one line for each request, with names of objects instead of ids.
 */
export interface Recorded {
  /**
   * Sequence of changing requests per stage and object, with method, path, body, headers and status, and the planned
   * changes of each stage.
   */
  readonly changes: string;
  /**
   * Set of all reading requests: method, route, names of the query parameters and of the body's fields, headers. Timing
   * decides which objects are read individually and which by a listing that several reads share.
   */
  readonly reads: string;
  /** State that the engine stores of each object, with the types of values instead of the values. */
  readonly state: string;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** Ids that the emulator generates: UUIDs and access keys. */
const anyId = new RegExp(`${uuid.source}|\\bAK[0-9A-F]{18}\\b`, "g");
/** Part of a KRN that identifies the emulator's account. */
const account = "000000000000:00000000-0000-4000-8000-000000000000";
/** Returns true for a UUID of the emulator's account or catalogue, which is the same in every run. */
const isConstant = (id: string): boolean => id.startsWith("00000000-0000-4000-8000-");
const idsIn = (text: string): string[] => (text.match(anyId) ?? []).filter((id) => !isConstant(id));

/**
 * Returns the names of objects by id. The name of an object that appears after the first stage, such as a replacement,
 * contains its stage.
 */
function nameObjects(stages: readonly Stage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, { name: stage, ids, objects }] of stages.entries()) {
    const give = (id: string | undefined, name: string) => {
      if (id !== undefined && !names.has(id)) names.set(id, index === 0 ? name : `${name}, ${stage}`);
    };
    for (const { krn, kind, name = "" } of objects)
      if (name !== "" && idsIn(name).length === 0) give(idsIn(krn).at(-1), `${kind} ${name}`);
    for (const [name, id] of ids) give(idsIn(id).at(-1), name);
  }
  return names;
}

/**
 * Omitted headers: those of the connection, and the customer's id. The provider sends this id as soon as any response
 * contained it, so timing decides which requests are sent without it.
 */
const omitted = new Set(["host", "connection", "content-length", "transfer-encoding", "k-customer-id"]);

interface Request {
  readonly operation: string;
  readonly isRead: boolean;
  /** Object that the request concerns. */
  readonly subject: string;
  readonly line: string;
  readonly status: number;
}

function normalizer(operations: readonly Operation[], names: ReadonlyMap<string, string>) {
  const patterns = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  const operationOf = (method: string, { pathname, searchParams }: URL): Operation => {
    const [operation] = patterns
      .filter(({ operation, pattern }) => operation.method === method && pattern.test(pathname))
      .map(({ operation }) => operation)
      .filter(({ select = {} }) =>
        Object.entries(select).every(([name, value]) => searchParams.get(name) === value),
      )
      // Paths with fewer parameters take precedence.
      .sort((a, b) => parameters(a) - parameters(b));
    return operation ?? { name: "unknown", method, path: pathname };
  };

  const withNames = (text: string): string =>
    text
      .replaceAll(anyId, (id) => (isConstant(id) ? id : `<${names.get(id) ?? "id"}>`))
      .replaceAll(account, "<account>")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "<emulator>");

  /**
   * Returns a body, or a part of one, with names instead of ids. Lists with ids are sorted: engines order sets by their
   * ids.
   */
  function normalized(value: unknown, field = ""): unknown {
    if (field === "otp") return "<one-time password>";
    if (typeof value === "string") return withNames(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => normalized(item));
      return JSON.stringify(value) === JSON.stringify(items) ? items : items.sort();
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, normalized(part, name)]));
  }

  function bodyText(body: Buffer): string {
    if (body.length === 0) return "";
    const text = body.toString("latin1");
    try {
      return JSON.stringify(normalized(JSON.parse(body.toString())));
    } catch {
      return JSON.stringify(withNames(text));
    }
  }

  return ({ method, target, headers, body, status, response }: Exchange): Request => {
    const url = new URL(target, "http://emulator");
    const { name: operation, path: route } = operationOf(method, url);
    // The emulator generates the signature and the expiry of a pre-signed URL.
    const query = operation.endsWith("_object_content")
      ? [...url.searchParams.keys()].map((name) => [name, "<signed>"])
      : [...url.searchParams].map(([name, value]) => [name, withNames(value)]);
    const path = withNames(decodeURIComponent(url.pathname));
    const address = query.length === 0 ? path : `${path}?${query.map((pair) => pair.join("=")).join("&")}`;
    const sent = Object.entries(headers)
      .filter(([name]) => !omitted.has(name))
      .map(([name, value]) => `${name}: ${withNames(value)}`)
      .sort();
    const text = body.toString("latin1");
    const requestIds = [
      ...idsIn(decodeURIComponent(url.pathname)).reverse(),
      ...idsIn(decodeURIComponent(url.search)),
      ...idsIn(text),
    ];
    const created = isCreate(operation)
      ? idsIn(response.toString("latin1")).filter((id) => !requestIds.includes(id))
      : [];
    const subjects = [...created, ...(isCreate(operation) ? [] : requestIds)].flatMap(
      (id) => names.get(id) ?? [],
    );
    const named = /"(?:name|\w+[nN]ame)":"([^"]*)"/.exec(text)?.[1] ?? "";
    // The subject of a request with several objects is the one whose kind is in the name of the operation.
    const subject = subjects.find((name) => name.startsWith(`${nounOf(operation)} `)) ?? subjects[0] ?? named;
    const isRead =
      method === "GET" ||
      method === "HEAD" ||
      /^(get|list|search|describe|download|presign|sign_in)_/.test(operation);
    if (isRead) {
      const names = [...url.searchParams.keys()].join(", ");
      const line = [`${method} ${route}`, names, fieldsOf(body), sent.join("; ")].join(" | ");
      return { operation, isRead, subject, line, status };
    }
    return {
      operation,
      isRead,
      subject,
      line: [`${method} ${address}`, bodyText(body), sent.join("; ")]
        .filter((part) => part !== "")
        .join(" | "),
      status,
    };
  };
}

const isCreate = (operation: string): boolean => /(^|_)create_/.test(operation);

/**
 * Returns the names of the fields of a JSON object, the type of any other JSON value, or an empty text without a body.
 */
function fieldsOf(body: Buffer): string {
  if (body.length === 0) return "";
  const value: unknown = JSON.parse(body.toString());
  return typeof value === "object" && value !== null ? Object.keys(value).join(", ") : typeof value;
}

const parameters = ({ path }: Operation): number => path.split("{").length;

/** Returns the kind of object of an operation: `floating_ip` for `attach_floating_ip`. */
const nounOf = (operation: string): string => operation.replace(/^[a-z]+_/, "");

const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const conflict = 409;

/**
 * Returns the requests of a sequence without those that were rejected with a conflict and sent again: their number
 * depends on timing.
 */
const withoutRepeats = (sequence: readonly Request[]): Request[] =>
  sequence.filter(({ line, status }, index) => !(status === conflict && sequence[index + 1]?.line === line));

/** Properties of objects in Pulumi's checkpoint that differ between runs. */
const varying = new Set(["created", "modified", "dependencies", "propertyDependencies"]);

/** Returns the structure of a value: types instead of values. Values whose names begin with `__` are constant and kept. */
function structureOf(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => structureOf(item));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !varying.has(key))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, structureOf(part, key)]),
    );
  if (name.startsWith("__")) return value;
  return value === null ? null : typeof value;
}

export function normalize({ operations, stages, state }: Lifecycle): Recorded {
  const normalized = normalizer(operations, nameObjects(stages));
  const changes: string[] = [];
  const reads = new Set<string>();
  for (const { name, planned, exchanges } of stages) {
    const requests = exchanges.map(normalized);
    const sequences = Map.groupBy(
      requests.filter(({ isRead }) => !isRead),
      ({ operation, subject }) =>
        subject.startsWith(`${nounOf(operation)} `) ? subject : `${nounOf(operation)} ${subject}`.trim(),
    );
    const blocks = [...sequences].map(([subject, sequence]) => {
      const lines = withoutRepeats(sequence).map(({ line, status }) => `    ${line} => ${status}`);
      return [`  ${subject}`, ...lines].join("\n");
    });
    changes.push(`${name}:`, ...planned.toSorted().map((line) => `  planned ${line}`), ...blocks.sort());
    for (const { isRead, line } of requests) if (isRead) reads.add(line);
  }
  const stored = state
    .map(({ name, state }) => `${name}: ${JSON.stringify(structureOf(state), undefined, 2)}`)
    .sort();
  return { changes: text(changes), reads: text([...reads].sort()), state: text(stored) };
}
