import type { Operation, OperationName } from "./operation.ts";

export type Match =
  | { kind: "implemented"; operation: Operation; path: Record<string, string> }
  | { kind: "not-implemented"; operation: OperationName; path: Record<string, string> }
  | { kind: "unselected"; operations: readonly OperationName[] }
  | { kind: "wrong-method"; allowed: readonly string[] }
  | { kind: "unknown" };

/** Parsed path pattern: per segment its fixed text or the name of its parameter. */
export type Pattern = readonly { readonly text: string; readonly parameter: boolean }[];

export function parsePattern(path: string): Pattern {
  return path.split("/").map((segment) => {
    const parameter = segment.startsWith("{");
    return { text: parameter ? segment.slice(1, -1) : segment, parameter };
  });
}

/** Splits a path into segments; identifiers may be raw or percent-encoded (docs/contract.md#1.4). */
export function splitPath(pathname: string): string[] {
  const segments = pathname.split("/");
  return pathname.includes("%") ? segments.map(decode) : segments;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the path parameters when the pattern matches. */
export function matchPath(pattern: Pattern, segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, { text, parameter }] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (parameter ? segment === "" : segment !== text) return undefined;
    if (parameter) path[text] = segment;
  }
  return path;
}

/** Sorts patterns with fewer parameters first: `/volumes/types` is not the volume "types". */
function bySpecificity(a: { pattern: Pattern }, b: { pattern: Pattern }): number {
  const parameters = ({ pattern }: { pattern: Pattern }) =>
    pattern.filter(({ parameter }) => parameter).length;
  return parameters(a) - parameters(b);
}

function isSelected(operation: OperationName, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(operation.select ?? {}).every(([key, value]) => query[key] === value);
}

export type Router = (method: string, pathname: string, query: Readonly<Record<string, string>>) => Match;

type RouteEntry = {
  readonly operation: OperationName;
  readonly implemented: Operation | undefined;
  readonly pattern: Pattern;
  /** Position in the order of preference. */
  readonly rank: number;
};

/** Node of the route tree: children by fixed segment, and one for a parameter. */
type Branch = { readonly fixed: Map<string, Branch>; any?: Branch; readonly entries: RouteEntry[] };

const emptyBranch = (): Branch => ({ fixed: new Map(), entries: [] });

function plant(root: Branch, entry: RouteEntry): void {
  let branch = root;
  for (const { text, parameter } of entry.pattern) {
    const next = (parameter ? branch.any : branch.fixed.get(text)) ?? emptyBranch();
    if (parameter) branch.any = next;
    else branch.fixed.set(text, next);
    branch = next;
  }
  branch.entries.push(entry);
}

/** Returns the entries with a matching pattern, in order of preference. A parameter never matches an empty segment. */
function fitting(branch: Branch, segments: readonly string[], index = 0): readonly RouteEntry[] {
  const segment = segments[index];
  if (segment === undefined) return branch.entries;
  const fixed = branch.fixed.get(segment);
  const onFixed = fixed === undefined ? [] : fitting(fixed, segments, index + 1);
  if (branch.any === undefined || segment === "") return onFixed;
  const onAny = fitting(branch.any, segments, index + 1);
  return onFixed.length === 0 ? onAny : [...onFixed, ...onAny].toSorted((a, b) => a.rank - b.rank);
}

/** Creates the router over the implemented operations and those that the contract only names. */
export function createRouter(
  implemented: readonly Operation[],
  notImplemented: readonly OperationName[],
): Router {
  const root = emptyBranch();
  [
    ...implemented.map((operation) => ({ operation, implemented: operation })),
    ...notImplemented.map((operation) => ({ operation, implemented: undefined })),
  ]
    .map((entry) => ({ ...entry, pattern: parsePattern(entry.operation.path) }))
    .sort(bySpecificity)
    .forEach((entry, rank) => {
      plant(root, { ...entry, rank });
    });

  return (method, pathname, query) => {
    const segments = splitPath(pathname);
    const onPath = fitting(root, segments);
    if (onPath.length === 0) return { kind: "unknown" };
    const withMethod = onPath.filter(({ operation }) => operation.method === method);
    if (withMethod.length === 0) {
      return { kind: "wrong-method", allowed: [...new Set(onPath.map(({ operation }) => operation.method))] };
    }
    const entry = withMethod.find(({ operation }) => isSelected(operation, query));
    if (!entry) return { kind: "unselected", operations: withMethod.map(({ operation }) => operation) };
    const path = matchPath(entry.pattern, segments) ?? {};
    return entry.implemented
      ? { kind: "implemented", operation: entry.implemented, path }
      : { kind: "not-implemented", operation: entry.operation, path };
  };
}
