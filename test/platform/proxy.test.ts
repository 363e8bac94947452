import { createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { runInThisContext } from "node:vm";
import { afterEach, expect, jest, test } from "@jest/globals";
import { makeCertificate } from "../../provider/grpc/certificate.ts";
import type { Reply } from "../../provider/platform/ports.ts";
import { proxyFor } from "../../provider/platform/proxy.ts";
import { tunnel } from "../../provider/platform/tunnel.ts";
import { send } from "../../provider/platform/undici.ts";

const through = (address: string, environment: NodeJS.ProcessEnv) => proxyFor(new URL(address), environment);
const proxy = "http://proxy.example:3128";

test("the variable of an address's scheme names the proxy, in lower or upper case", () => {
  expect(through("https://cloud.example", { HTTPS_PROXY: proxy })).toBe(proxy);
  expect(through("https://cloud.example", { https_proxy: proxy, HTTPS_PROXY: "http://other:1" })).toBe(proxy);
  expect(through("http://cloud.example", { HTTP_PROXY: proxy })).toBe(proxy);
  expect(through("https://cloud.example", { HTTP_PROXY: proxy })).toBeUndefined();
  expect(through("https://cloud.example", { HTTPS_PROXY: "" })).toBeUndefined();
});

test.each([
  ["*", "https://cloud.example", false],
  ["cloud.example", "https://cloud.example", false],
  ["cloud.example", "https://api.cloud.example", false],
  [".cloud.example", "https://api.cloud.example", false],
  ["*.cloud.example", "https://api.cloud.example", false],
  ["other.example, Cloud.Example", "https://cloud.example", false],
  ["cloud.example:443", "https://cloud.example", false],
  ["cloud.example:8443", "https://cloud.example:8443", false],
  ["cloud.example:8443", "https://cloud.example", true],
  ["oud.example", "https://cloud.example", true],
  ["2001:db8::1", "https://[2001:db8::1]", false],
  ["[2001:db8::1]", "https://[2001:db8::1]", false],
  ["[2001:db8::1]:8443", "https://[2001:db8::1]:8443", false],
  ["[2001:db8::1]:8443", "https://[2001:db8::1]", true],
  ["2001:db8::2", "https://[2001:db8::1]", true],
  ["", "https://cloud.example", true],
  [".", "https://cloud.example", true],
])("NO_PROXY=%s and %s: through the proxy is %s", (direct, address, expected) => {
  expect(through(address, { HTTPS_PROXY: proxy, NO_PROXY: direct }) !== undefined).toBe(expected);
});

test("requests to this machine never use a proxy", () => {
  const environment = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
  for (const address of ["http://127.0.0.1:80", "https://localhost", "http://[::1]:8080"])
    expect(through(address, environment)).toBeUndefined();
});

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
  delete process.env.HTTPS_PROXY;
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Starts a proxy that handles every CONNECT with `answer` and records the requests in `asked`. */
async function proxyThat(answer: (socket: Socket) => void) {
  const asked: string[] = [];
  const port = await listen(
    createServer((socket) =>
      socket.once("data", (bytes) => {
        asked.push(bytes.toString("latin1"));
        answer(socket);
      }),
    ),
  );
  return { url: `http://127.0.0.1:${port}`, asked };
}

const get = (url: string, certificates?: string): Promise<Reply> =>
  send(
    { method: "GET", url, headers: {}, ...(certificates === undefined ? {} : { certificates }) },
    new AbortController().signal,
  );

test.each([
  ["HTTP/1.1 403 Forbidden\r\n\r\n", "the proxy (HTTPS_PROXY) refused the connection"],
  [
    "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n",
    "the proxy (HTTPS_PROXY) requires a user name and a password",
  ],
])("with a proxy that responds %j, the request counts as unsent", async (answer, reason) => {
  const { url } = await proxyThat((socket) => socket.end(answer));
  process.env.HTTPS_PROXY = url;
  expect(await get(`https://refused-${url.split(":").at(-1)}.invalid/`)).toEqual({ kind: "unsent", reason });
});

test("with an unreachable proxy or an invalid address, the request counts as unsent", async () => {
  const { url } = await proxyThat(() => {});
  for (const clean of cleanups.splice(0)) clean();
  process.env.HTTPS_PROXY = url;
  expect(await get("https://gone.invalid/")).toEqual({
    kind: "unsent",
    reason: "the proxy (HTTPS_PROXY) cannot be reached",
  });
  for (const wrong of ["proxy.example", "socks5://127.0.0.1:1"]) {
    process.env.HTTPS_PROXY = wrong;
    expect(await get(`https://${wrong.length}.invalid/`)).toEqual({
      kind: "unsent",
      reason: "the proxy's address (HTTPS_PROXY) is invalid: use one such as http://proxy.example:3128",
    });
  }
});

/** Starts a TLS server with its own certificate, and a proxy that connects every CONNECT to that server. */
async function cloudBehindProxy() {
  const { key, cert } = makeCertificate(Date.now());
  const cloud = await listen(
    tls.createServer({ key, cert }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
    }),
  );
  const server = await proxyThat((socket) => {
    const far = new (socket.constructor as typeof Socket)().connect(cloud, "127.0.0.1");
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.pipe(far.on("error", () => {})).pipe(socket);
  });
  return { ...server, cloud, cert };
}

test("the proxy gets its own credentials, and the certificate of the server is checked", async () => {
  const { url, asked, cert } = await cloudBehindProxy();
  process.env.HTTPS_PROXY = url.replace("//", "//user:p%40ss@");
  expect(await get("https://cloud.invalid:8443/a", cert)).toEqual({
    kind: "unsent",
    reason: "the server's certificate is for another host",
  });
  expect(await get("https://cloud.invalid:8443/a")).toEqual({
    kind: "unsent",
    reason: "the server's certificate is not signed by a trusted authority",
  });
  expect(asked[0]).toMatch(/^CONNECT cloud\.invalid:8443 HTTP\/1\.1\r\n/);
  const proof = Buffer.from("user:p@ss").toString("base64");
  expect(asked[0]).toContain(`proxy-authorization: Basic ${proof}\r\n`);
});

test("an IPv6 address is requested in brackets, and the certificate must contain it", async () => {
  const { url, asked, cert } = await cloudBehindProxy();
  process.env.HTTPS_PROXY = url;
  // Tests run with a copy of `process`; TLS warns through the real one.
  const real = runInThisContext("process") as NodeJS.Process;
  const warned = jest.spyOn(real, "emitWarning").mockImplementation(() => {});
  try {
    expect(await get("https://[2001:db8::1]:8443/a", cert)).toEqual({
      kind: "unsent",
      reason: "the server's certificate is for another host",
    });
    expect(warned).not.toHaveBeenCalled();
  } finally {
    warned.mockRestore();
  }
  expect(asked[0]).toMatch(/^CONNECT \[2001:db8::1\]:8443 HTTP\/1\.1\r\nhost: \[2001:db8::1\]:8443\r\n/);
});

test("a proxy with an IPv6 address is reached", async () => {
  const { url, asked } = await proxyThat((socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  process.env.HTTPS_PROXY = url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
  expect(await get("https://sixth.invalid/")).toEqual({
    kind: "unsent",
    reason: "the proxy (HTTPS_PROXY) refused the connection",
  });
  expect(asked[0]).toMatch(/^CONNECT sixth\.invalid:443 /);
});

test("neither password nor request is sent to an HTTPS proxy with an untrusted certificate, for any environment", async () => {
  const { key, cert } = makeCertificate(Date.now());
  const asked: string[] = [];
  const server = tls.createServer({ key, cert }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      asked.push(bytes.toString("latin1"));
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  });
  process.env.HTTPS_PROXY = `https://user:password@localhost:${await listen(server)}`;
  // Tests run with a copy of the environment; TLS reads the variable from the real one.
  const { env } = runInThisContext("process") as NodeJS.Process;
  const before = env.NODE_TLS_REJECT_UNAUTHORIZED;
  env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    expect(await get("https://unchecked.invalid/")).toEqual({
      kind: "unsent",
      reason: "the certificate of the proxy (HTTPS_PROXY) is not trusted",
    });
    expect(asked).toEqual([]);
    // A certificate from the user's file is trusted for the proxy too.
    expect(await get("https://checked.invalid/", cert)).toEqual({
      kind: "unsent",
      reason: "the proxy (HTTPS_PROXY) refused the connection",
    });
    expect(asked).toHaveLength(1);
  } finally {
    if (before === undefined) delete env.NODE_TLS_REJECT_UNAUTHORIZED;
    else env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});

test("the tunnel carries the encrypted connection of the caller", async () => {
  const { url, cert, cloud } = await cloudBehindProxy();
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connect = tunnel(url, { ca: cert, rejectUnauthorized: true });
    connect({ hostname: "localhost", port: String(cloud) }, (error, made) =>
      error === null ? resolve(made) : reject(error),
    );
  });
  const answer = new Promise<string>((resolve) =>
    socket.once("data", (bytes) => resolve(bytes.toString("latin1"))),
  );
  socket.write("GET / HTTP/1.1\r\n\r\n");
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
  socket.destroy();
});

test("a certificate from the user's file is trusted, in addition to the usual ones", async () => {
  const { cloud, cert } = await cloudBehindProxy();
  const address = `https://localhost:${cloud}/`;
  expect(await get(address)).toEqual({
    kind: "unsent",
    reason: "the server's certificate is not signed by a trusted authority",
  });
  expect(await get(address, cert)).toMatchObject({ kind: "answer", status: 200, body: "{}" });
});
