import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";

/** Requests and responses of Node as those of the Fetch standard, of which the protocol's transport consists. */

/** Maximum size of the body of a request in bytes. */
export const mostBytes = 1024 * 1024;

/** Returns the body of a request; undefined if it is larger than the maximum. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/**
 * Returns a request without its credential. Its signal aborts when the client closes the connection before it has the whole
 * response.
 */
export function requestOf(
  { method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">,
  { url, body, signal }: { readonly url: string; readonly body: string; readonly signal: AbortSignal },
): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (name !== "authorization" && value !== undefined) copied.set(name, String(value));
  return new Request(url, {
    method,
    headers: copied,
    signal,
    ...(method === "POST" && body !== "" && { body }),
  });
}

/** Time in ms for which the headers of a response wait for the first part of its body, to be sent with it. */
const headMs = 20;

/** Sends a response. Ends the source of its body when the client closes the connection. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  to.writeHead(response.status, { ...headers, "cache-control": headers["cache-control"] ?? "no-store" });
  if (response.body === null) {
    to.end();
    return;
  }
  const timer = setTimeout(() => to.flushHeaders(), headMs);
  const reader = response.body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  to.once("close", leave);
  try {
    for (let next = reader.read(); ; ) {
      const { done, value } = await next;
      if (done || to.destroyed) break;
      next = reader.read();
      // The end often follows at once, and is then sent together with the last part.
      const soon = await Promise.race([next, turn(undefined)]);
      if (soon?.done) {
        to.end(value);
        return;
      }
      if (!to.write(value))
        await new Promise<void>((resolve) => {
          to.once("drain", resolve);
          to.once("close", resolve);
        });
    }
  } finally {
    clearTimeout(timer);
    to.off("close", leave);
    to.end();
  }
}

/** Returns a response with an error of JSON-RPC. */
export const refusal = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers });
