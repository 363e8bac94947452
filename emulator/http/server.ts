import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Content } from "../state/content.ts";
import { type ConnectionOutcome, lengthOf, type WireRequest, wireResponse } from "./wire.ts";

const loopback = "127.0.0.1";
/** Requests above this are answered 413 and not read further. */
const maxBody = 16 * 1024 * 1024;

const isLoopback = (hostname: string) => ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

/** The URL of a request that names this machine; undefined for any other host, which DNS rebinding would bring. */
function requestUrl(request: IncomingMessage): URL | undefined {
  const base = `http://${request.headers.host ?? ""}`;
  if (!URL.canParse(request.url ?? "", base)) return undefined;
  const url = new URL(request.url ?? "", base);
  return isLoopback(url.hostname) ? url : undefined;
}

/** A page of another site, run in a browser on this machine, must not reach us either. */
function isForeignPage(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  return origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}

/** The whole body; undefined when it is too long. */
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

async function send(response: ServerResponse, delivery: ConnectionOutcome): Promise<void> {
  const { socket } = response;
  if (delivery.kind === "hang") return;
  if (delivery.kind === "reset") {
    socket?.resetAndDestroy();
  } else if (delivery.kind === "fin") {
    socket?.end();
  } else {
    const { status, headers, body, content, ending, announced } = delivery;
    const length = announced ?? lengthOf(delivery);
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

/** Takes the body of a request of which there may be much; undefined for any other. */
type ReceiveBody = (
  method: string,
  url: URL,
  parts: AsyncIterable<Uint8Array>,
) => Promise<Content> | undefined;

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
  const content = await receive(method, url, request);
  const body = content === undefined ? await readBody(request) : new Uint8Array();
  if (!body) return refuse(response, 413, `a body of more than ${maxBody} bytes`);
  await send(response, await exchange({ ...incoming, body, ...(content && { content }) }));
}

/** Serves the exchanges on 127.0.0.1; port 0 is any free one. Rejects when the port is taken; `report` takes defects. */
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
      // Whoever left in the middle, or is cut off as we close, needs no answer; anything else is a defect.
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
