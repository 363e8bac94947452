import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Proxy that adds a key to each request, since the suite sends none. It keeps all other headers, `Host` and `Origin` too. */
export async function openProxy(
  target: string,
  key: string,
): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const sent = request(
      { host: hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        response.on("error", () => outgoing.destroy());
      },
    );
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
