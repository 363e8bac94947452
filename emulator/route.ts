import type { Operation, OperationName } from "./operation.ts";

export type Match =
  | { kind: "built"; operation: Operation; path: Record<string, string> }
  | { kind: "unbuilt"; operation: OperationName; path: Record<string, string> }
  | { kind: "unselected"; operations: readonly OperationName[] }
  | { kind: "wrong-method"; allowed: readonly string[] }
  | { kind: "unknown" };

const isParameter = (segment: string) => segment.startsWith("{");

/** The path parameters when the pattern fits; identifiers may come raw or percent-encoded (contract 1.4). */
export function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  const expected = pattern.split("/");
  const segments = pathname.split("/");
  if (expected.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, part] of expected.entries()) {
    const segment = decode(segments[i] ?? "");
    if (segment === undefined || segment === "") {
      if (part !== segment) return undefined;
    } else if (isParameter(part)) {
      parameters[part.slice(1, -1)] = segment;
    } else if (part !== segment) return undefined;
  }
  return parameters;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Fewer parameters first: `/volumes/types` is not the volume called types. */
function bySpecificity(a: OperationName, b: OperationName): number {
  const parameters = (path: string) => path.split("/").filter(isParameter).length;
  return parameters(a.path) - parameters(b.path);
}

function isSelected(operation: OperationName, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(operation.select ?? {}).every(([key, value]) => query[key] === value);
}

export type Router = (method: string, pathname: string, query: Readonly<Record<string, string>>) => Match;

/** Finds the operation of a request among those that are built and those the contract only names. */
export function createRouter(built: readonly Operation[], unbuilt: readonly OperationName[]): Router {
  const table = [
    ...built.map((operation) => ({ path: operation.path, operation, built: operation })),
    ...unbuilt.map((operation) => ({ path: operation.path, operation, built: undefined })),
  ].sort((a, b) => bySpecificity(a.operation, b.operation));

  return (method, pathname, query) => {
    const onPath = table.flatMap((entry) => {
      const path = matchPath(entry.path, pathname);
      return path ? [{ ...entry, path, pattern: entry.operation.path }] : [];
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
