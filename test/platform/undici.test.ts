import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { runInThisContext } from "node:vm";
import { afterEach, expect, test } from "@jest/globals";
import { StopError } from "../../provider/core/error.ts";
import { makeCertificate } from "../../provider/grpc/certificate.ts";
import type { Reply, WireRequest } from "../../provider/platform/ports.ts";
import { send } from "../../provider/platform/undici.ts";

/** The real HTTP client against a server that sends raw bytes, so that every kind of broken response can be tested. */

const never = new AbortController().signal;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

interface Peer {
  readonly url: string;
  /** Received bytes, one string per connection. */
  readonly received: string[];
}

/** Listens on loopback; calls `respond` once per connection, when its first bytes arrive. */
async function serve(
  respond: (socket: Socket) => void,
  make: (open: (socket: Socket) => void) => Server = createServer,
  scheme = "http",
): Promise<Peer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = make((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (socket.bytesRead === bytes.length) received.push("");
      received[received.length - 1] += bytes.toString("latin1");
    });
    socket.once("data", () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `${scheme}://127.0.0.1:${address.port}`, received };
}

const head = (status: string, ...lines: string[]) => [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");
const json = (body: string, status = "200 OK") =>
  head(status, "content-type: application/json", `content-length: ${Buffer.byteLength(body)}`) + body;
const post = (url: string, more: Partial<WireRequest> = {}): Promise<Reply> =>
  send(
    { method: "POST", url: `${url}/things?a=1`, headers: { "x-region": "r" }, body: "{}", ...more },
    never,
  );

test("a request is sent unchanged and its response is complete", async () => {
  const peer = await serve((socket) => socket.end(json('{"a": "ä"}')));
  expect(await post(peer.url)).toEqual({
    kind: "answer",
    status: 200,
    headers: { "content-type": "application/json", "content-length": "11" },
    body: '{"a": "ä"}',
    cut: false,
  });
  expect(peer.received).toHaveLength(1);
  expect(peer.received[0]).toMatch(/^POST \/things\?a=1 HTTP\/1\.1\r\n/);
  expect(peer.received[0]).toMatch(/x-region: r\r\n[\s\S]*\r\n\r\n\{\}$/);
});

test("a request to a closed port counts as unsent", async () => {
  const peer = await serve(() => {});
  for (const clean of cleanups.splice(0)) clean();
  expect(await post(peer.url)).toEqual({
    kind: "unsent",
    reason: `the host ${new URL(peer.url).host} refused the connection`,
  });
});

test("a request to an unknown host counts as unsent", async () => {
  const reply = await post("http://nowhere.invalid");
  expect(reply.kind).toBe("unsent");
  expect(reply).toHaveProperty("reason", expect.stringMatching(/^the host nowhere\.invalid /));
});

test("a request with an invalid header counts as unsent, and the value is not shown", async () => {
  const peer = await serve((socket) => socket.end(json("{}")));
  const reply = await post(peer.url, { headers: { authorization: "Bearer canary\r\nx: y" } });
  expect(reply).toEqual({
    kind: "unsent",
    reason: "the request contains a character that is not allowed",
  });
  expect(peer.received).toEqual([]);
});

test.each([
  ["reset before the response", (socket: Socket) => socket.resetAndDestroy()],
  ["closed before the response", (socket: Socket) => socket.end()],
  ["used for a response that is not HTTP", (socket: Socket) => socket.end("SSH-2.0-x\r\n")],
  ["closed in the middle of the head", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le")],
])("a request is lost, and not sent again, if its connection is %s", async (_, respond) => {
  const peer = await serve(respond);
  expect(await post(peer.url)).toEqual({
    kind: "lost",
    reason: "the connection was closed before the response",
  });
  expect(await post(peer.url, { method: "GET" })).toMatchObject({ kind: "lost" });
  expect(peer.received).toHaveLength(2);
});

test.each(["EHOSTUNREACH", "ENETUNREACH"])(
  "a request whose host becomes unreachable (%s) after it was sent is lost, and is not sent again",
  async (code) => {
    const ends: Socket[] = [];
    const opened = (message: unknown) => ends.push((message as { socket: Socket }).socket);
    subscribe("undici:client:connected", opened);
    cleanups.push(() => unsubscribe("undici:client:connected", opened));
    // The kernel reports such an error on an open connection; here the local end fails with the same code.
    const peer = await serve(() =>
      ends[0]?.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: "read" })),
    );
    expect(await post(peer.url)).toEqual({
      kind: "lost",
      reason: "the connection was closed before the response",
    });
    expect(peer.received).toHaveLength(1);
  },
);

test.each([
  ["reset", (socket: Socket) => socket.resetAndDestroy()],
  ["closed", (socket: Socket) => socket.end()],
])("a body that is %s before its length is truncated", async (_, close) => {
  const peer = await serve((socket) => {
    socket.write(`${head("200 OK", "content-length: 100")}{"id": "a"}`);
    setImmediate(() => setImmediate(() => close(socket)));
  });
  expect(await post(peer.url)).toMatchObject({ kind: "answer", status: 200, cut: true });
  expect(peer.received).toHaveLength(1);
});

test("a chunked body without its last chunk is truncated", async () => {
  const peer = await serve((socket) => {
    socket.write(`${head("200 OK", "transfer-encoding: chunked")}5\r\n{"a":\r\n`);
    setImmediate(() => setImmediate(() => socket.end()));
  });
  expect(await post(peer.url)).toMatchObject({ kind: "answer", body: '{"a":', cut: true });
});

test("a body that arrives slowly is complete", async () => {
  const body = '{"a": [1, 2, 3]}';
  const peer = await serve((socket) => {
    socket.write(head("200 OK", `content-length: ${body.length}`));
    const bytes = [...body];
    const next = () => {
      const byte = bytes.shift();
      if (byte === undefined) socket.end();
      else socket.write(byte, () => setImmediate(next));
    };
    next();
  });
  expect(await post(peer.url)).toMatchObject({ body, cut: false });
});

test("a response larger than 16 MiB is truncated", async () => {
  const peer = await serve((socket) => {
    socket.write(head("200 OK", `content-length: ${40 * 1024 * 1024}`));
    const more = () => {
      if (!socket.destroyed) socket.write(Buffer.alloc(1024 * 1024, 0x20), more);
    };
    more();
  });
  const reply = await post(peer.url);
  expect(reply).toMatchObject({ kind: "answer", cut: true });
  expect(reply.kind === "answer" && reply.body.length).toBeLessThanOrEqual(16 * 1024 * 1024);
});

test("a redirect is not followed", async () => {
  const other = await serve((socket) => socket.end(json("{}")));
  const peer = await serve((socket) =>
    socket.end(head("307 Temporary Redirect", `location: ${other.url}/`, "content-length: 0")),
  );
  expect(await post(peer.url)).toMatchObject({ kind: "answer", status: 307 });
  expect(other.received).toEqual([]);
});

test("an informational response is not treated as the final one", async () => {
  const peer = await serve((socket) => socket.end(head("103 Early Hints", "link: </x>") + json('{"a": 1}')));
  expect(await post(peer.url)).toMatchObject({ status: 200, body: '{"a": 1}', cut: false });
});

test("a repeated header is joined to one header", async () => {
  const peer = await serve((socket) =>
    socket.end(head("204 No Content", "X-Request-Id: a", "x-request-id: b")),
  );
  expect(await post(peer.url)).toMatchObject({ status: 204, headers: { "x-request-id": "a, b" }, body: "" });
});

const self = makeCertificate(Date.now());
const tls = (open: (socket: Socket) => void): Server =>
  createTlsServer({ key: self.key, cert: self.cert }, open);

test("no request is sent to a server with an untrusted certificate", async () => {
  const peer = await serve((socket) => socket.end(json("{}")), tls, "https");
  // Tests run with a copy of the environment; TLS reads the variable from the real one.
  const { env } = runInThisContext("process") as NodeJS.Process;
  const before = env.NODE_TLS_REJECT_UNAUTHORIZED;
  env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    expect(await post(peer.url)).toEqual({
      kind: "unsent",
      reason: "the server's certificate is not signed by a trusted authority",
    });
  } finally {
    if (before === undefined) delete env.NODE_TLS_REJECT_UNAUTHORIZED;
    else env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
  expect(peer.received).toEqual([]);
});

test("a request whose connection fails in the TLS handshake is not sent", async () => {
  const failures: readonly [string, (socket: Socket) => void][] = [
    ["ECONNRESET", (socket) => socket.resetAndDestroy()],
    ["ECONNRESET", (socket) => socket.end()],
    ["ERR_SSL_\\w+", (socket) => socket.end(json("{}"))],
    ["ERR_SSL_\\w+", (socket) => socket.end(Buffer.alloc(64, 0xff))],
  ];
  for (const [code, respond] of failures) {
    const peer = await serve(respond);
    const { host } = new URL(peer.url);
    expect(await post(peer.url.replace("http:", "https:"))).toEqual({
      kind: "unsent",
      reason: expect.stringMatching(
        new RegExp(`^the secure connection to the host ${host} could not be opened \\(${code}\\)$`),
      ),
    });
    expect(peer.received.join()).not.toContain("x-region");
  }
});

test("a request that is stopped during the TLS handshake is never sent, even if the handshake succeeds later", async () => {
  const pause = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const peer = await serve(
    () => {},
    (open) => tls(open).on("tlsClientError", () => {}),
    "https",
  );
  const { port } = new URL(peer.url);
  const slow = await serve(
    () => {},
    () =>
      createServer((near) => {
        void pause.promise.then(() => {
          const far = connect(Number(port), "127.0.0.1");
          near.on("error", () => {}).once("close", () => far.end());
          near.pipe(
            far.on("error", () => {}).once("close", () => closed.resolve()),
            { end: false },
          );
          far.pipe(near);
        });
      }),
  );
  const { host } = new URL(slow.url.replace("127.0.0.1", "localhost"));
  const stop = new AbortController();
  const request = { method: "POST", url: `https://${host}/`, headers: {}, body: "{}" };
  const work = send({ ...request, certificates: self.cert }, stop.signal);
  setTimeout(() => stop.abort(new StopError("stop")), 30);
  expect(await work).toEqual({ kind: "unsent", reason: `no connection to the host ${host} was open` });
  pause.resolve();
  await closed.promise;
  expect(peer.received).toEqual([]);
});

test.each([
  ["at once", async () => {}],
  ["later", () => new Promise<void>((resolve) => setImmediate(resolve))],
] as const)("a large body is received whole by a receiver that is ready %s", async (_, ready) => {
  const content = Buffer.alloc(1024 * 1024, "abcdefg");
  const chunked = await serve((socket) => {
    socket.write(head("200 OK", "transfer-encoding: chunked"));
    for (let at = 0; at < content.length; at += 50_000) {
      const part = content.subarray(at, at + 50_000);
      socket.write(
        Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]),
      );
    }
    socket.write("0\r\n\r\n");
  });
  const sized = await serve((socket) => {
    socket.write(head("200 OK", `content-length: ${content.length}`));
    socket.write(content);
  });
  for (const { url } of [sized, chunked]) {
    const parts: Buffer[] = [];
    let received = 0;
    const receive = (part: Uint8Array) => {
      received += 1;
      if (received > 10_000) throw new Error("more parts than the body can have");
      parts.push(Buffer.from(part));
      return ready();
    };
    const reply = await send({ method: "GET", url: `${url}/`, headers: {}, receive }, never);
    expect(reply).toMatchObject({ kind: "answer", status: 200, cut: false });
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  }
});

test("a stop ends a request that was sent immediately", async () => {
  const silent = await serve(() => {});
  const halfway = await serve((socket) => socket.write(head("200 OK", "content-length: 100")));
  // A response that never starts, and a response that stops after its headers.
  for (const url of [silent.url, halfway.url]) {
    const stop = new AbortController();
    const reason = new StopError("stop");
    const work = send({ method: "GET", url: `${url}/`, headers: {} }, stop.signal);
    setTimeout(() => stop.abort(reason), 30);
    await expect(work).rejects.toBe(reason);
  }
});

test("a request that is already stopped is not sent", async () => {
  const peer = await serve((socket) => socket.end(json("{}")));
  const stopped = AbortSignal.abort(new StopError("stop"));
  expect(await send({ method: "GET", url: peer.url, headers: {} }, stopped)).toEqual({
    kind: "unsent",
    reason: `no connection to the host ${new URL(peer.url).host} was open`,
  });
  expect(peer.received).toEqual([]);
});

test("requests to one address share its connections", async () => {
  let connections = 0;
  const peer = await serve((socket) => {
    connections += 1;
    const answer = () => {
      if (peer.received.at(-1)?.endsWith("{}")) socket.write(json("{}"));
    };
    answer();
    socket.on("data", answer);
  });
  for (let count = 0; count < 5; count++) await post(peer.url);
  // A second connection may open while the previous response is still being completed.
  expect(connections).toBeLessThanOrEqual(2);
});

afterEach(() => {
  delete process.env.KCLOUD_ONLY;
  delete process.env.HTTPS_PROXY;
});

/** Server that counts its connections. */
async function canary(): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0;
  const { url } = await serve(
    () => {},
    (open) =>
      createServer((socket) => {
        connections += 1;
        open(socket);
      }),
  );
  return { url, connections: () => connections };
}

test("under KCLOUD_ONLY a request to that address is sent, one to any other address opens no socket", async () => {
  const peer = await serve((socket) => socket.end(json("{}")));
  const other = await canary();
  process.env.KCLOUD_ONLY = `${peer.url}/`;
  expect(await post(peer.url)).toMatchObject({ kind: "answer" });
  for (const place of ["cloud", "foreign"] as const)
    expect(
      await send({ method: "GET", url: `${other.url}/a?signature=secret`, headers: {} }, never, place),
    ).toEqual({
      kind: "unsent",
      reason: `${other.url} is not allowed: KCLOUD_ONLY allows only ${peer.url}`,
    });
  expect(other.connections()).toBe(0);
});

test("under KCLOUD_ONLY a proxy is another address", async () => {
  const proxy = await canary();
  process.env.KCLOUD_ONLY = "https://cloud.invalid";
  process.env.HTTPS_PROXY = proxy.url.replace("//", "//user:secret@");
  expect(await post("https://cloud.invalid")).toEqual({
    kind: "unsent",
    reason: `the proxy ${proxy.url} is not allowed: KCLOUD_ONLY allows only https://cloud.invalid`,
  });
  expect(proxy.connections()).toBe(0);
});

test.each(["", "cloud.example", "none"])("an invalid KCLOUD_ONLY (%j) allows no address", async (lock) => {
  const other = await canary();
  process.env.KCLOUD_ONLY = lock;
  expect(await post(other.url)).toMatchObject({
    kind: "unsent",
    reason: expect.stringMatching(/^KCLOUD_ONLY is /),
  });
  expect(other.connections()).toBe(0);
});
