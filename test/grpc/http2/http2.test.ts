import { once } from "node:events";
import http2 from "node:http2";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { encodeFields } from "../../../provider/grpc/http2/hpack.ts";
import { serveConnection } from "../../../provider/grpc/http2/http2.ts";
import type { Connection, Receiver, Stream } from "../../../provider/grpc/http2/stream.ts";
import { type Listener, listen } from "../../../provider/grpc/listen.ts";
import {
  acknowledge,
  code,
  continuation,
  data,
  endHeaders,
  endStream,
  goAway,
  headers,
  number,
  openClient,
  padded,
  ping,
  prioritized,
  priority,
  push,
  reset,
  settings,
  update,
} from "./http2-client.ts";
import { frame } from "./http2-frame.ts";

/** The connection on bytes: frames that no usual client sends, and streams that end at a wrong moment. */

const start = encodeFields({ ":status": "200" });
const trailers = encodeFields({ "grpc-status": "0" });
const request = encodeFields({ ":method": "POST", ":path": "/echo" });

const windowSetting = (size: number) => frame(settings, 0, 0, Buffer.concat([hexOf("0004"), number(size)]));
const hexOf = (text: string) => Buffer.from(text, "hex");

/** Answers a request by its path: `/echo` with the request, `/large` with a megabyte, `/wait` not at all. */
function accept(stream: Stream): Receiver {
  const parts: Buffer[] = [];
  const path = stream.headers.get(":path");
  return {
    data: (part) => parts.push(part),
    async end() {
      if (path === "/wait") return;
      stream.respond(start);
      await stream.write(path === "/large" ? Buffer.alloc(2 ** 20, "x") : Buffer.concat(parts));
      stream.end(trailers);
    },
    close: () => {
      closed.push(path ?? "");
    },
  };
}

const closed: string[] = [];
const failures: unknown[] = [];
let connections = 0;
const anyPort = { host: "127.0.0.1", port: 0 };
let listener: Listener | undefined;

/** Serves a connection, and counts it as long as it is open. */
function serve(connection: Connection) {
  connections += 1;
  return serveConnection(connection, {
    accept,
    onClose: () => {
      connections -= 1;
    },
    onError: (error) => failures.push(error),
  });
}

const client = () => openClient(listener?.port ?? 0);

beforeEach(async () => {
  listener = await listen(anyPort, serve);
});

afterEach(async () => {
  listener?.close();
  closed.length = 0;
  expect(failures.splice(0)).toEqual([]);
});

const post = (stream: number, block = request) => frame(headers, endHeaders, stream, block);
const waiting = post(1, encodeFields({ ":path": "/wait" }));
const body = (stream: number, text: string) => frame(data, endStream, stream, Buffer.from(text));

test("the server announces its windows and acknowledges settings and pings", async () => {
  const { send, frame: next, frames, socket } = await client();
  send(frame(ping, 0, 0, Buffer.from("12345678")));
  expect((await next(ping))?.payload.toString()).toBe("12345678");
  expect((await next(update))?.payload.readUInt32BE(0)).toBe(64 * 1024 * 1024 - 65_535);
  expect(frames[0]?.payload).toEqual(Buffer.concat([hexOf("0004"), number(16 * 1024 * 1024)]));
  expect(frames.some(({ type, flags }) => type === settings && flags === acknowledge)).toBe(true);
  socket.destroy();
});

test("a request is complete however its bytes are split", async () => {
  const { socket, response } = await client();
  const bytes = Buffer.concat([post(1), body(1, "hello")]);
  for (const byte of bytes) {
    socket.write(Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await response(1)).toString()).toBe("hello");
  socket.destroy();
});

test("padding, priorities, continued header blocks, trailers and unknown frames are accepted", async () => {
  const { send, response, socket } = await client();
  const inside = Buffer.concat([Buffer.of(3), number(0), Buffer.of(15), request, Buffer.alloc(3)]);
  send(
    frame(headers, endHeaders | padded | prioritized, 1, inside),
    frame(data, padded, 1, Buffer.from("\u0002one\0\0", "latin1")),
    frame(priority, 0, 7, Buffer.alloc(5)),
    frame(0xbe, 0xff, 1, Buffer.from("unknown")),
    frame(data, 0, 1),
    frame(headers, endHeaders | endStream, 1, encodeFields({ "x-end": "1" })),
    frame(headers, 0, 3, request.subarray(0, 4)),
    frame(continuation, 0, 3, request.subarray(4, 9)),
    frame(continuation, endHeaders, 3, request.subarray(9)),
    body(3, "two"),
  );
  expect((await response(1)).toString()).toBe("one");
  expect((await response(3)).toString()).toBe("two");
  socket.destroy();
});

test("a response waits for room on its stream and on the connection, in any order of updates", async () => {
  const size = 2 ** 20;
  const all = await client();
  const { send, dataOf, response, frame: next, socket } = all;
  const large = encodeFields({ ":path": "/large" });
  send(windowSetting(10), post(1, large), frame(data, endStream, 1));
  await next(data, 1);
  const settled = async () => {
    send(frame(ping, 0, 0, Buffer.from(String(Math.random()).padEnd(8).slice(0, 8))));
    const count = all.frames.filter(({ type }) => type === ping).length;
    while (all.frames.filter(({ type }) => type === ping).length === count)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return dataOf(1).length;
  };
  expect(await settled()).toBe(10);
  // More initial room counts for open streams; less makes their room negative.
  send(windowSetting(30));
  expect(await settled()).toBe(30);
  send(windowSetting(5), frame(update, 0, 1, number(20)));
  expect(await settled()).toBe(30);
  send(frame(update, 0, 1, number(10)));
  expect(await settled()).toBe(35);
  send(frame(update, 0, 1, number(2 * size)));
  expect(await settled()).toBe(65_535);
  // Another stream waits for the connection too; both end.
  send(post(3), body(3, "late"));
  expect(await settled()).toBe(65_535);
  send(frame(update, 0, 0, number(2 * size)));
  expect((await response(1)).length).toBe(size);
  expect((await response(3)).toString()).toBe("late");
  socket.destroy();
});

test("a stream that the client cancels is closed, and its later frames are ignored", async () => {
  const { send, response, socket } = await client();
  send(waiting, frame(data, 0, 1), frame(reset, 0, 1, number(8)));
  send(frame(data, 0, 1, Buffer.from("late")), frame(update, 0, 1, number(5)), frame(reset, 0, 1, number(8)));
  send(frame(headers, endHeaders | endStream, 1, encodeFields({ "x-end": "1" })), post(3), body(3, "next"));
  expect((await response(3)).toString()).toBe("next");
  expect(closed).toEqual(["/wait", "/echo"]);
  socket.destroy();
});

test("a closed connection closes its streams", async () => {
  const { send, socket, frame: next } = await client();
  send(waiting, frame(data, endStream, 1), frame(ping, 0, 0, Buffer.alloc(8)));
  await next(ping);
  socket.destroy();
  while (connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(closed).toEqual(["/wait"]);
});

test("a response that ends before its request asks the client to stop", async () => {
  const early = await listen(anyPort, (connection) =>
    serveConnection(connection, {
      accept: (stream) => ({ data: () => stream.end(start), end() {}, close() {} }),
      onClose() {},
      onError: (error) => failures.push(error),
    }),
  );
  const session = http2.connect(`http://127.0.0.1:${early.port}`);
  const stream = session.request({ ":method": "POST", ":path": "/" });
  stream.write("a");
  const [fields] = await once(stream, "response");
  expect(fields[":status"]).toBe(200);
  await once(stream.resume(), "close");
  expect(stream.rstCode).toBe(code.none);
  session.destroy();
  early.close();
});

test.each([
  ["data after the end of a request", code.streamClosed, [body(1, "a"), body(1, "b")]],
  ["an update of a window by zero", code.protocol, [frame(update, 0, 1, number(0))]],
  ["an update of a window beyond the maximum", code.flowControl, [frame(update, 0, 1, number(2 ** 31 - 1))]],
] as const)("%s ends the stream only", async (_, expected, parts) => {
  const { send, frame: next, response, socket } = await client();
  send(waiting, ...parts);
  expect((await next(reset, 1))?.payload.readUInt32BE(0)).toBe(expected);
  send(post(3), body(3, "next"));
  expect((await response(3)).toString()).toBe("next");
  socket.destroy();
});

const errors: [string, number, readonly Uint8Array[]][] = [
  ["a frame larger than 16 KiB", code.frameSize, [post(1), frame(data, 0, 1, Buffer.alloc(16_385))]],
  ["data of a stream that was not opened", code.protocol, [frame(data, 0, 1)]],
  ["data without a stream", code.protocol, [frame(data, 0, 0)]],
  ["a stream with an even ID", code.protocol, [post(2)]],
  ["a header block without a stream", code.protocol, [post(0)]],
  [
    "a header block that another frame interrupts",
    code.protocol,
    [frame(headers, 0, 1, request), frame(ping, 0, 0, Buffer.alloc(8))],
  ],
  [
    "a header block that another stream continues",
    code.protocol,
    [frame(headers, 0, 1, request), frame(continuation, 4, 3)],
  ],
  ["a continuation of nothing", code.protocol, [frame(continuation, endHeaders, 1, request)]],
  [
    "a header block without an end",
    code.calm,
    [frame(headers, 0, 1), ...Array(70).fill(frame(continuation, 0, 1))],
  ],
  ["a second header block within a request", code.protocol, [post(1), post(1)]],
  ["an invalid header block", code.compression, [post(1, hexOf("80"))]],
  ["padding that is longer than its frame", code.protocol, [post(1), frame(data, padded, 1, Buffer.of(1))]],
  ["padding without a length", code.protocol, [post(1), frame(data, padded, 1)]],
  ["a priority that is cut", code.protocol, [frame(headers, endHeaders | prioritized, 1, Buffer.alloc(4))]],
  ["settings of a stream", code.protocol, [frame(settings, 0, 1)]],
  ["settings of a wrong length", code.frameSize, [frame(settings, 0, 0, Buffer.alloc(5))]],
  ["acknowledged settings with content", code.frameSize, [frame(settings, acknowledge, 0, Buffer.alloc(6))]],
  ["an initial window beyond the maximum", code.flowControl, [windowSetting(2 ** 31)]],
  ["a ping of a stream", code.protocol, [frame(ping, 0, 1, Buffer.alloc(8))]],
  ["a ping of a wrong length", code.frameSize, [frame(ping, 0, 0, Buffer.alloc(7))]],
  ["a cancellation of a wrong length", code.frameSize, [post(1), frame(reset, 0, 1, Buffer.alloc(3))]],
  ["a cancellation of a stream that was not opened", code.protocol, [frame(reset, 0, 1, number(8))]],
  ["an update of a wrong length", code.frameSize, [frame(update, 0, 0, Buffer.alloc(3))]],
  ["an update of the connection by zero", code.protocol, [frame(update, 0, 0, number(0))]],
  [
    "an update of the connection beyond the maximum",
    code.flowControl,
    [frame(update, 0, 0, number(2 ** 31 - 1))],
  ],
  [
    "an update of a stream with an even ID",
    code.protocol,
    [post(1), post(3), frame(update, 0, 2, number(1))],
  ],
  ["a setting of pushes that is no boolean", code.protocol, [frame(settings, 0, 0, hexOf("000200000002"))]],
  ["a maximum of frames that is too small", code.protocol, [frame(settings, 0, 0, hexOf("000500003fff"))]],
  ["a maximum of frames that is too large", code.protocol, [frame(settings, 0, 0, hexOf("000501000000"))]],
  ["a priority of a wrong length", code.frameSize, [frame(priority, 0, 1, Buffer.alloc(4))]],
  ["a farewell of a stream", code.protocol, [frame(goAway, 0, 1, Buffer.alloc(8))]],
  ["a farewell of a wrong length", code.frameSize, [frame(goAway, 0, 0, Buffer.alloc(7))]],
  ["a push", code.protocol, [frame(push, endHeaders, 1, request)]],
];

test.each(errors)("%s ends the connection with its code", async (_, expected, parts) => {
  const { send, ended } = await client();
  send(...parts);
  expect(await ended()).toBe(expected);
});

test("a connection of another protocol ends", async () => {
  const socket = connect(listener?.port ?? 0, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  socket.resume();
  await once(socket, "close");
});

test("no bytes of a client stop the server or reach its errors", async () => {
  const valid = [
    post(1),
    body(1, "a"),
    windowSetting(100),
    post(3),
    frame(data, padded, 3, Buffer.of(1, 65, 0)),
    body(3, "b"),
  ];
  const whole = Buffer.concat(valid);
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      }),
    fc
      .array(fc.tuple(fc.nat(11), fc.nat(255), fc.nat(8), fc.uint8Array({ maxLength: 40 })), {
        maxLength: 12,
      })
      .map((frames) => Buffer.concat(frames.map((one) => frame(...one)))),
  );
  await fc.assert(
    fc.asyncProperty(broken, async (bytes) => {
      const one = await client();
      one.send(bytes);
      one.socket.end();
      await once(one.socket, "close");
      const next = await client();
      next.send(post(1), body(1, "alive"));
      expect((await next.response(1)).toString()).toBe("alive");
      next.socket.destroy();
      expect(failures).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
