import { callOperation } from "../library/call.ts";
import type { Operation } from "../operation/operation.ts";
import type { Client } from "../provider/client/client.ts";
import { InputError } from "../provider/core/error.ts";
import type { WireRequest } from "../provider/platform/ports.ts";
import { parametersIn } from "./parameter.ts";
import { oneLine } from "./text.ts";

/** Request of a call with `--dry-run`: it is made as for a call, with other secrets, and not sent. */

/** Value of each secret in the request: the redaction finds it in every encoding. */
const substitute = "substitute-of-a-secret-0";
const masked = "***";

/** Error that ends the call in place of its request. */
class CapturedError extends Error {
  readonly request: WireRequest;
  constructor(request: WireRequest) {
    super();
    this.request = request;
  }
}

/** Returns the client without credentials, whose transport sends nothing. */
const captured = (client: Client): Client => ({
  ...client,
  ports: {
    ...client.ports,
    transport: {
      send: async (request) => {
        throw new CapturedError(request);
      },
    },
  },
  tokenSource: {
    kind: client.tokenSource.kind,
    ready: async () => {},
    credential: () => ({ authorization: `Bearer ${masked}` }),
    renew: () => false,
  },
  objectSession: { ...client.objectSession, token: async () => masked },
  oneTimePasswords: { next: async () => substitute },
});

type Written = { readonly [name: string]: unknown };

/** Replaces secrets by a substitute of the same form. */
function withoutSecrets(operation: Operation, written: Written): Written {
  const secrets = new Set(parametersIn(operation).flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, secrets.has(name) ? substituted(value) : value]),
  );
}

function substituted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(substituted);
  if (typeof value !== "object" || value === null) return typeof value === "string" ? substitute : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, substituted(inner)]));
}

/** Returns the request of a call as text: method, URL, headers and body. `written` are checked parameters. */
export async function requestText(client: Client, operation: Operation, written: Written): Promise<string> {
  if (operation.transfer !== undefined)
    return `${operation.transfer === "download" ? "GET" : "PUT"} ${masked}\n`;
  const without = captured(client);
  without.learn(substitute);
  try {
    await callOperation(without, operation, withoutSecrets(operation, written));
  } catch (error) {
    if (error instanceof CapturedError) return textOf(error.request, without.redact);
    // A substitute that a rule of the operation does not accept.
    if (error instanceof InputError) return `${operation.endpoint.method} ${operation.endpoint.path}\n`;
    throw error;
  }
  throw new TypeError("the operation sends no request");
}

function textOf(
  { method, url, headers, body, stream }: WireRequest,
  redact: (text: string) => string,
): string {
  const shown = (text: string) => oneLine(redact(text)).replaceAll(substitute, masked);
  const lines = [
    `${method} ${shown(url)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${shown(value)}`),
  ];
  if (body !== undefined) {
    const json = JSON.stringify(JSON.parse(body), undefined, 2);
    lines.push("", ...json.split("\n").map(shown));
  }
  if (stream !== undefined) lines.push("", `(${stream.size} bytes, with the content)`);
  return `${lines.join("\n")}\n`;
}
