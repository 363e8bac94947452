import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Request of a provider and the response to it. */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly response: Buffer;
}

export interface Proxy {
  readonly url: string;
  /**
   * Returns the completed exchanges whose requests arrived since the last call, in the order of arrival. Throws the
   * first error of forwarding, if there was one.
   */
  take(): readonly Exchange[];
  close(): Promise<void>;
}

/**
 * Starts a proxy on the loopback interface that forwards every request to `target` and records the request with its
 * response.
 */
export async function startProxy(target: string): Promise<Proxy> {
  let exchanges: (Exchange | undefined)[] = [];
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    const part = exchanges;
    const index = part.push(undefined) - 1;
    const forward = async () => {
      const body = await buffer(request);
      const answer = await send(target, request, body);
      const received = await buffer(answer);
      const { method = "", url = "" } = request;
      const { statusCode: status = 0 } = answer;
      part[index] = { method, target: url, headers: joined(request), body, status, response: received };
      response.writeHead(status, answer.headers).end(received);
    };
    forward().catch((error: unknown) => {
      // A client may abort its own request. Any other error is thrown by `take`.
      if (!request.destroyed || response.writable) failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const recorded = exchanges.filter((exchange) => exchange !== undefined);
      exchanges = [];
      if (failures.length > 0) throw failures[0];
      return recorded;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** Forwards a request with its original `host` header, so that addresses in the response refer to the proxy too. */
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
