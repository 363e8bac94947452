import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Content } from "../state/content.ts";
import { type ConnectionOutcome, lengthOf, type WireRequest, wireResponse } from "./wire.ts";

const loopback = "127.0.0.1";
/** Maximum size of a body in bytes; larger ones get 413 and are not read further. */
const maxBody = 16 * 1024 * 1024;

const isLoopback = (hostname: string) => ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

/** Returns the URL of a request whose host is loopback; undefined for any other host (DNS rebinding). */
function requestUrl(request: IncomingMessage): URL | undefined {
  const base = `http://${request.headers.host ?? ""}`;
  if (!URL.canParse(request.url ?? "", base)) return undefined;
  const url = new URL(request.url ?? "", base);
  return isLoopback(url.hostname) ? url : undefined;
}

/** Returns true for requests of a browser page from another site. */
function isForeignPage(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  return origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}

/** Reads the whole body; undefined when it is too long. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of parts) {
    length += chunk.length;
    if (length > maxBody) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : `${value}`,
    ]),
  );
}

function refuse(response: ServerResponse, status: number, message: string): Promise<void> {
  const headers = { connection: "close" };
  return send(response, wireResponse({ status, headers, body: { status: "failed", message } }));
}

async function send(response: ServerResponse, outcome: ConnectionOutcome): Promise<void> {
  const { socket } = response;
  if (outcome.kind === "hang") return;
  if (outcome.kind === "reset") {
    socket?.resetAndDestroy();
  } else if (outcome.kind === "fin") {
    socket?.end();
  } else {
    const { status, headers, body, content, ending, announced } = outcome;
    const length = announced ?? lengthOf(outcome);
    const bodiless = status === 204 || status === 304;
    response.writeHead(
      status,
      length === "chunked" || bodiless ? headers : { ...headers, "content-length": String(length) },
    );
    if (content !== undefined) await pipeline(content.read(), response, { end: false });
    if (ending === "end") response.end(body);
    else response.write(body, () => ending === "break" && socket?.destroySoon());
  }
}

/** Streams the body of an operation with `bytes` or `contentField`; undefined for other operations. */
type ReceiveBody = (
  method: string,
  url: URL,
  parts: AsyncIterable<Uint8Array>,
) => Promise<{ readonly body: Uint8Array; readonly content: Content }> | undefined;

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: (exchange: WireRequest) => Promise<ConnectionOutcome>,
  receive: ReceiveBody,
  signal: AbortSignal,
): Promise<void> {
  const url = requestUrl(request);
  if (!url || isForeignPage(request))
    return refuse(response, 403, "only for this machine: Host, and Origin if there is one, must be loopback");
  const { method = "GET" } = request;
  const incoming = { method, url, headers: plainHeaders(request), signal };
  const received = await receive(method, url, request);
  const body = received === undefined ? await readBody(request) : received.body;
  if (!body) return refuse(response, 413, `a body of more than ${maxBody} bytes`);
  await send(response, await exchange({ ...incoming, ...received, body }));
}

/** Serves on 127.0.0.1; port 0 selects a free one. Rejects when the port is in use; `report` receives defects. */
export function listen(
  exchange: (exchange: WireRequest) => Promise<ConnectionOutcome>,
  port: number,
  report: (text: string) => void,
  receive: ReceiveBody = () => undefined,
): Promise<{ url: string; close(): Promise<void> }> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const server = createServer((request, response) => {
    handle(request, response, exchange, receive, closing.signal).catch((error: unknown) => {
      response.destroy();
      // A client that disconnected or that close() disconnects needs no response; any other error is a defect.
      if (!closing.signal.aborted && !request.destroyed) report(`defect: ${error}`);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, () => {
      const address = server.address() as AddressInfo;
      resolve({
        url: `http://${loopback}:${address.port}`,
        close: () =>
          new Promise((closed) => {
            closing.abort();
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
