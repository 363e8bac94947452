import * as z from "zod";
import type { DoubleRequest } from "./double.ts";
import document from "./github-operations.json" with { type: "json" };

/** Validation of requests by GitHub's own document of its REST API, of which `github-operations.json` is a part. */

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body?: object;
  readonly isBodyRequired?: boolean;
}

/** Returns a JSON schema that accepts no property but the documented ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return "properties" in parts && !("additionalProperties" in parts)
    ? { ...parts, additionalProperties: false }
    : parts;
}

const operations = (document.operations as readonly Operation[]).map((operation) => ({
  ...operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`),
  schema:
    operation.body === undefined
      ? undefined
      : z.fromJSONSchema(closed(operation.body) as z.core.JSONSchema.JSONSchema),
}));

/** Returns how a request differs from the document; undefined for a documented one. */
export function documentProblem({ method, url, body }: DoubleRequest, path: string): string | undefined {
  if (path === "/graphql") return undefined;
  const operation = operations.find((one) => one.method === method && one.pattern.test(path));
  if (operation === undefined) return `${method} ${path} is not documented`;
  const query = [...url.searchParams.keys()].find((name) => !operation.query.includes(name));
  if (query !== undefined) return `the parameter ${query} is not documented`;
  const { schema } = operation;
  if (schema === undefined) return Object.keys(body).length === 0 ? undefined : "a body is not documented";
  const { error } = schema.safeParse(body);
  return error === undefined ? undefined : z.prettifyError(error).replaceAll("\n", " ");
}
