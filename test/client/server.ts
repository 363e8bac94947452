import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createApi } from "../../provider/client/client.ts";
import { openSession } from "../../provider/engine/session.ts";
import type { Log } from "../../provider/platform/log.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs `work` with a client that reaches a local server over real sockets; `answer` handles its requests. */
export async function before(
  answer: Answer,
  work: (api: ReturnType<typeof createApi>, url: string) => Promise<void>,
  log?: Log,
) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given = { baseUrl: url, apiKey: "the-api-key", region: "In-Bangalore-1", maxRequestsPerSecond: 0 };
  const session = openSession(given, realPorts, log);
  try {
    await work(createApi(session, { region: "In-Bangalore-1", signal: new AbortController().signal }), url);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
