import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { createApi } from "../../provider/client/client.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { openSession } from "../../provider/engine/session.ts";
import type { Log } from "../../provider/platform/log.ts";
import type { ByteStream } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs `work` with a client that reaches a local server over real sockets; `answer` handles its requests. */
async function before(
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
    await work(createApi(session, "In-Bangalore-1", new AbortController().signal), url);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const part = Buffer.alloc(64 * 1024, "kcloud");

/** Returns a stream of this many equal parts. */
const streamOf = (parts: number): ByteStream => ({
  size: parts * part.length,
  async *read() {
    for (let sent = 0; sent < parts; sent++) yield part;
  },
});

test("a form upload has its fields and the unchanged file", async () => {
  let seen = "";
  const answer: Answer = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    seen = `${request.headers["content-length"] === String(body.length)} ${request.headers["content-type"]}\n${body}`;
    response.end("{}");
  };
  const upload = endpoint("update", "PUT /objects");
  await before(answer, async (api) => {
    const content = {
      ...streamOf(0),
      size: 5,
      sha256: "abc",
      md5: "",
      read: async function* () {
        yield Buffer.from("hello");
      },
    };
    await api.send(upload, {
      form: { fields: { prefix: "a" }, file: { name: 'a".txt', content, type: "text/plain" } },
    });
  });
  expect(seen.replaceAll("\r\n", "\n")).toBe(
    [
      "true multipart/form-data; boundary=part-abc",
      "--part-abc",
      'Content-Disposition: form-data; name="prefix"',
      "",
      "a",
      "--part-abc",
      'Content-Disposition: form-data; name="file"; filename="a%22.txt"',
      "Content-Type: text/plain",
      "",
      "hello",
      "--part-abc--",
      "",
    ].join("\n"),
  );
});
