import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request that a provider sent, and the response to it. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly response: Buffer;
}

export interface Proxy {
  readonly url: string;
  /** The exchanges since the last call, in the order in which the requests arrived. */
  take(): readonly Exchange[];
  close(): Promise<void>;
}

/** Serves on the loopback interface, forwards every request to `target`, and records it with its response. */
export async function startProxy(target: string): Promise<Proxy> {
  let exchanges: (Exchange | undefined)[] = [];
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    const taken = exchanges;
    const at = taken.push(undefined) - 1;
    const forward = async () => {
      const body = await buffer(request);
      const answer = await send(target, request, body);
      const received = await buffer(answer);
      const { method = "", url = "" } = request;
      const { statusCode: status = 0 } = answer;
      taken[at] = { method, target: url, headers: joined(request), body, status, response: received };
      response.writeHead(status, answer.headers).end(received);
    };
    forward().catch((error: unknown) => {
      // A client that gives up its request ends it; anything else is told when the recording is taken.
      if (!request.destroyed || response.writable) failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = exchanges.filter((exchange) => exchange !== undefined);
      exchanges = [];
      if (failures.length > 0) throw failures[0];
      return taken;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** Sends what was received on, with the header `host` as it was: addresses in responses then lead to the proxy too. */
const send = (
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const forwarded = sendRequest(new URL(url ?? "", target), { method: method ?? "", headers }, resolve);
    forwarded.once("error", reject);
    forwarded.end(body);
  });

const joined = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
