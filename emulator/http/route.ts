import type { Operation, OperationName } from "./operation.ts";

export type Match =
  | { kind: "built"; operation: Operation; path: Record<string, string> }
  | { kind: "unbuilt"; operation: OperationName; path: Record<string, string> }
  | { kind: "unselected"; operations: readonly OperationName[] }
  | { kind: "wrong-method"; allowed: readonly string[] }
  | { kind: "unknown" };

/** A path pattern taken apart: the fixed text of each segment, and the names of those that are parameters. */
export type Pattern = readonly { readonly text: string; readonly parameter: boolean }[];

export function parsePattern(path: string): Pattern {
  return path.split("/").map((segment) => {
    const parameter = segment.startsWith("{");
    return { text: parameter ? segment.slice(1, -1) : segment, parameter };
  });
}

/** The segments of a path; identifiers may come raw or percent-encoded (contract 1.4). */
export function splitPath(pathname: string): string[] {
  return pathname.split("/").map(decode);
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path parameters when the pattern fits. */
export function matchPath(pattern: Pattern, segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const fits = pattern.every(({ text, parameter }, i) =>
    parameter ? segments[i] !== "" : segments[i] === text,
  );
  if (!fits) return undefined;
  return Object.fromEntries(
    pattern.flatMap(({ text, parameter }, i) => (parameter ? [[text, segments[i] ?? ""]] : [])),
  );
}

/** Fewer parameters first: `/volumes/types` is not the volume called types. */
function bySpecificity(a: { pattern: Pattern }, b: { pattern: Pattern }): number {
  const parameters = ({ pattern }: { pattern: Pattern }) =>
    pattern.filter(({ parameter }) => parameter).length;
  return parameters(a) - parameters(b);
}

function isSelected(operation: OperationName, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(operation.select ?? {}).every(([key, value]) => query[key] === value);
}

export type Router = (method: string, pathname: string, query: Readonly<Record<string, string>>) => Match;

/** Finds the operation of a request among those that are built and those the contract only names. */
export function createRouter(built: readonly Operation[], unbuilt: readonly OperationName[]): Router {
  const table = [
    ...built.map((operation) => ({ operation, built: operation })),
    ...unbuilt.map((operation) => ({ operation, built: undefined })),
  ]
    .map((entry) => ({ ...entry, pattern: parsePattern(entry.operation.path) }))
    .sort(bySpecificity);
  const byLength = Map.groupBy(table, ({ pattern }) => pattern.length);

  return (method, pathname, query) => {
    const segments = splitPath(pathname);
    const onPath = (byLength.get(segments.length) ?? []).flatMap((entry) => {
      const path = matchPath(entry.pattern, segments);
      return path ? [{ ...entry, path }] : [];
    });
    if (onPath.length === 0) return { kind: "unknown" };
    const withMethod = onPath.filter(({ operation }) => operation.method === method);
    if (withMethod.length === 0) {
      return { kind: "wrong-method", allowed: [...new Set(onPath.map(({ operation }) => operation.method))] };
    }
    const found = withMethod.find(({ operation }) => isSelected(operation, query));
    if (!found) return { kind: "unselected", operations: withMethod.map(({ operation }) => operation) };
    const { path } = found;
    return found.built
      ? { kind: "built", operation: found.built, path }
      : { kind: "unbuilt", operation: found.operation, path };
  };
}
