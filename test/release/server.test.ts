import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import * as http2 from "node:http2";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { makeCertificate } from "../../provider/grpc/certificate.ts";
import { frame } from "../../provider/grpc/grpc.ts";
import { encodeFields } from "../../provider/grpc/http2/hpack.ts";
import { shared } from "../../tools/bundle.ts";
import { type Client, connect } from "../../tools/plugin/grpc-client.ts";
import { modulesForBun } from "../../tools/release/executable.ts";
import { hostPlatform, runtimeOf } from "../../tools/release/platform.ts";
import { frame as frameOf } from "../grpc/http2/http2-frame.ts";

/** Tests the servers of the executable, which use the API of its runtime. */

/** Size in bytes of the response of `/large`. */
const largeSize = 30 * 2 ** 20;

let folder: string;
let program: string;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-server-"));
  program = join(folder, "server.mjs");
  const entry = join(import.meta.dirname, "echo-server.ts");
  await build({ ...shared, entryPoints: [entry], plugins: [modulesForBun], format: "esm", outfile: program });
});

afterEach(() => {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
});

afterAll(() => rm(folder, { recursive: true }));

/** Starts the server. `lines` are those that it prints after the first. */
async function start(...args: string[]) {
  const child = spawn(runtimeOf(hostPlatform()), [program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  processes.push(child);
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  const [first] = await once(reader, "line");
  reader.on("line", (line) => lines.push(line));
  const [port = "", certificate = ""] = String(first).split(" ");
  return {
    port: Number(port),
    ca: new X509Certificate(Buffer.from(certificate, "base64")).toString(),
    lines,
    async printed(line: string, times = 1) {
      while (lines.filter((each) => each === line).length < times) await once(reader, "line");
    },
  };
}

async function withClient<T>(port: number, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(`http://127.0.0.1:${port}`, {});
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

test("calls on one connection get their responses, from one byte to 60 MB", async () => {
  const { port, printed } = await start();
  const messages = [Buffer.of(7), Buffer.alloc(1000, "a"), Buffer.alloc(60 * 2 ** 20, "large ")];
  await withClient(port, async (client) => {
    for (const message of messages) {
      const { status, messages: echoed } = await client.send("/echo", [frame(message)]);
      expect([status, echoed.map((each) => each.equals(message))]).toEqual([0, [true]]);
    }
  });
  await printed("idle");
});

/** Returns the payloads of the frames of a type. */
function payloadsOf(type: number, bytes: Buffer): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (bytes.readUInt8(at + 3) === type) payloads.push(bytes.subarray(at + 9, end));
    at = end;
  }
  return payloads;
}

const [data, headers, settings, windowUpdate] = [0, 1, 4, 8];
const [endStream, endHeaders] = [1, 4];

test("a client that reads late gets the whole response", async () => {
  const { port, printed } = await start();
  const socket = connectSocket(port, "127.0.0.1");
  // No flow control: all of the response waits for the socket.
  const initialWindow = Buffer.alloc(6);
  initialWindow.writeUInt16BE(4);
  initialWindow.writeUInt32BE(2 ** 31 - 1, 2);
  const increment = Buffer.alloc(4);
  increment.writeUInt32BE(2 ** 30);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frameOf(settings, 0, 0, initialWindow));
  socket.write(frameOf(windowUpdate, 0, 0, increment));
  const fields = encodeFields({ ":method": "POST", ":scheme": "http", ":path": "/large" });
  socket.write(frameOf(headers, endHeaders, 1, fields));
  socket.write(frameOf(data, endStream, 1, frame(Buffer.of())));
  await printed("large");
  const parts: Buffer[] = [];
  let received = 0;
  for await (const part of socket) {
    parts.push(part);
    received += part.length;
    // The second header block ends the response.
    if (received > largeSize && payloadsOf(headers, Buffer.concat(parts)).length === 2) break;
  }
  const body = Buffer.concat(payloadsOf(data, Buffer.concat(parts)));
  expect(body.equals(frame(Buffer.alloc(largeSize, "large ")))).toBe(true);
  await printed("idle");
});

test("a call is cancelled when its caller leaves", async () => {
  const { port, printed } = await start();
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  session
    .request({ ":method": "POST", ":path": "/wait" })
    .on("error", () => {})
    .end(frame(Buffer.of()));
  await printed("waiting");
  session.destroy();
  await printed("cancelled");
  await printed("idle");
});

test("a connection without HTTP/2 gets the reason and is closed", async () => {
  const { port, printed } = await start();
  const socket = connectSocket(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "close");
  expect(Buffer.concat(parts).toString("latin1")).toContain(
    "the connection does not start with the HTTP/2 preface",
  );
  await printed("idle");
});

test("only the client whose certificate the engine named is served", async () => {
  const [engine, stranger] = [makeCertificate(Date.now()), makeCertificate(Date.now())];
  const { port, ca, lines, printed } = await start(engine.cert);
  const call = async (certificate: object) => {
    const client = await connect(`https://localhost:${port}`, { ca, ...certificate });
    try {
      return await client.send("/echo", [frame(Buffer.from("hello"))]);
    } finally {
      await client.close();
    }
  };
  await expect(call({})).rejects.toThrow();
  await expect(call({ key: stranger.key, cert: stranger.cert })).rejects.toThrow();
  const refused = "Error: the certificate of the client is not that of the engine";
  await printed(refused, 2);
  const { status, messages } = await call({ key: engine.key, cert: engine.cert });
  expect([status, messages.map(String)]).toEqual([0, ["hello"]]);
  await printed("idle");
  await expect(withClient(port, (client) => client.send("/echo", [frame(Buffer.of())]))).rejects.toThrow();
  expect(lines.filter((line) => line.startsWith("echo"))).toEqual(["echo of 5 bytes"]);
});
