import { afterEach, expect, test } from "@jest/globals";
import { makeCertificate } from "../../provider/grpc/certificate.ts";
import {
  bindMethod,
  frame,
  type GrpcCall,
  type GrpcOptions,
  type GrpcServer,
  grpcServer,
  type Method,
  percentEncode,
  routeOf,
} from "../../provider/grpc/grpc.ts";
import { type Listener, listen } from "../../provider/grpc/listen.ts";
import { listenSecurely } from "../../provider/grpc/secure.ts";
import { type Client, connect } from "../../tools/plugin/grpc-client.ts";

/** Codec that passes bytes through unchanged. */
const bytes: Method<Uint8Array, Uint8Array> = {
  requestType: { decode: (message) => message },
  responseType: { encode: (message) => ({ finish: () => message }) },
};

const failures: [string, unknown][] = [];
let server: GrpcServer | undefined;
let listener: Listener | undefined;
let client: Client | undefined;

const anyPort = { host: "127.0.0.1", port: 0 };

type Handler = (request: Uint8Array, call: GrpcCall) => Promise<Uint8Array> | AsyncIterable<Uint8Array>;

async function serve(handler: Handler, options: Pick<GrpcOptions, "maxMessage"> = {}): Promise<Client> {
  server = grpcServer({
    ...options,
    route: async (path) => routeOf({ "/test.Service/Do": bindMethod(bytes, handler) }, path),
    onError: (method, error) => failures.push([method, error]),
  });
  listener = await listen(anyPort, server.accept);
  client = await connect(`http://127.0.0.1:${listener.port}`, {});
  return client;
}

afterEach(async () => {
  await client?.close();
  listener?.close();
  client = undefined;
  server = undefined;
  failures.length = 0;
});

const echo: Handler = async (request) => request;
const path = "/test.Service/Do";
const text = (part: Uint8Array | undefined) => Buffer.from(part ?? []).toString();

test("a unary call returns one message and status 0", async () => {
  const reply = await (await serve(echo)).send(path, [frame(Buffer.from("hello"))]);
  expect(reply.status).toBe(0);
  expect(reply.message).toBe("");
  expect(reply.messages.map(text)).toEqual(["hello"]);
});

test("an error with a status ends the call with its code, message and details", async () => {
  const details = Buffer.from("détails");
  // An error of another part of a bundle is an instance of a separate class.
  const error = Object.assign(new Error("not done"), { name: "GrpcError", code: 9, details });
  const client = await serve(() => Promise.reject(error));
  expect(await client.send(path, [frame(new Uint8Array())])).toMatchObject({
    status: 9,
    message: "not done",
    details: details.toString("base64"),
  });
  expect(failures).toEqual([]);
});

test("a request that is larger than the limit is refused", async () => {
  const client = await serve(echo, { maxMessage: 2 ** 20 });
  const { status, message } = await client.send(path, [frame(Buffer.alloc(2 ** 20 + 1))]);
  expect([status, message]).toEqual([8, "the request is larger than 1 MiB"]);
  expect((await client.send(path, [frame(Buffer.alloc(2 ** 20))])).status).toBe(0);
});

test("a message is complete for any split of its bytes", async () => {
  const client = await serve(echo);
  const whole = frame(Buffer.from("cut anywhere"));
  for (let at = 1; at < whole.length; at++) {
    const { messages } = await client.send(path, [whole.subarray(0, at), whole.subarray(at)]);
    expect(messages.map(text)).toEqual(["cut anywhere"]);
  }
  const single = [...whole].map((byte) => Uint8Array.of(byte));
  expect((await client.send(path, single)).messages.map(text)).toEqual(["cut anywhere"]);
});

test("an empty message is valid, a request without a message is an error", async () => {
  const client = await serve(echo);
  expect((await client.send(path, [frame(new Uint8Array())])).messages.map(text)).toEqual([""]);
  expect(await client.send(path, [])).toMatchObject({ status: 13, message: "the request holds no message" });
});

test("two messages, or a part of one, are rejected", async () => {
  const client = await serve(echo);
  const one = frame(Buffer.from("one"));
  const refusal = { status: 13, message: "the request does not hold exactly one message" };
  expect(await client.send(path, [Buffer.concat([one, one])])).toMatchObject(refusal);
  expect(await client.send(path, [one.subarray(0, 6)])).toMatchObject(refusal);
});

test("a compressed message is rejected", async () => {
  const compressed = Buffer.from(frame(Buffer.from("x")));
  compressed[0] = 1;
  expect(await (await serve(echo)).send(path, [compressed])).toMatchObject({
    status: 12,
    message: "compressed messages are not supported",
  });
});

test("an unknown method is unimplemented, also one named like a property of Object", async () => {
  const client = await serve(echo);
  for (const unknown of ["/test.Service/Other", "/toString", "/__proto__"])
    expect(await client.send(unknown, [frame(new Uint8Array())])).toMatchObject({
      status: 12,
      message: `unknown method ${unknown}`,
    });
});

test("a handler that throws ends its call with a bare internal error, and the server continues", async () => {
  let calls = 0;
  const client = await serve(async (request) => {
    calls += 1;
    if (calls === 1) throw new Error("the password is 1234");
    return request;
  });
  expect(await client.send(path, [frame(new Uint8Array())])).toMatchObject({
    status: 13,
    message: "/test.Service/Do failed",
  });
  expect(failures).toEqual([["/test.Service/Do", new Error("the password is 1234")]]);
  expect((await client.send(path, [frame(Buffer.from("on"))])).messages.map(text)).toEqual(["on"]);
});

test("a response stream arrives message by message, and ends with status 13 when it fails", async () => {
  const parts = ["a", "b", "c"];
  const client = await serve(async function* (request) {
    for (const part of parts) yield Buffer.from(part);
    if (text(request) === "break") throw new Error("broken");
  });
  const whole = await client.send(path, [frame(Buffer.from("all"))]);
  expect(whole.status).toBe(0);
  expect(whole.messages.map(text)).toEqual(parts);
  const cut = await client.send(path, [frame(Buffer.from("break"))]);
  expect(cut).toMatchObject({ status: 13, message: "the response ended early" });
  expect(cut.messages.map(text)).toEqual(parts);
});

test("an empty response stream ends with status 0", async () => {
  const client = await serve(async function* () {});
  expect(await client.send(path, [frame(new Uint8Array())])).toEqual({
    status: 0,
    message: "",
    messages: [],
  });
});

test("a disconnected caller aborts its own call only", async () => {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const client = await serve(async (request, { signal }) => {
    if (text(request) !== "wait") return request;
    started.resolve();
    signal.addEventListener("abort", () => aborted.resolve());
    await aborted.promise;
    return request;
  });
  const leave = new AbortController();
  const waiting = client.send(path, [frame(Buffer.from("wait"))], leave.signal).catch(() => "gone");
  await started.promise;
  expect(server?.inFlight()).toBe(1);
  leave.abort();
  await aborted.promise;
  expect(await waiting).toBe("gone");
  expect((await client.send(path, [frame(Buffer.from("still here"))])).status).toBe(0);
  expect(server?.inFlight()).toBe(0);
});

test("stopping a connection aborts its calls, whose responses still arrive", async () => {
  const started = Promise.withResolvers<object>();
  const client = await serve(
    (_, { signal, connection }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(Buffer.from("stopped")));
        started.resolve(connection);
      }),
  );
  const call = client.send(path, [frame(new Uint8Array())]);
  server?.stop({});
  server?.stop(await started.promise);
  expect((await call).messages.map(text)).toEqual(["stopped"]);
});

test("messages of sixty megabytes are received and sent", async () => {
  const large = Buffer.alloc(60 * 1024 * 1024, "x");
  const reply = await (await serve(echo)).send(path, [frame(large)]);
  expect(reply.status).toBe(0);
  expect(reply.messages[0]?.equals(large)).toBe(true);
});

test("hundreds of concurrent calls each get their own response", async () => {
  const client = await serve(echo);
  const calls = Array.from({ length: 500 }, (_, at) => client.send(path, [frame(Buffer.from(String(at)))]));
  const answers = await Promise.all(calls);
  expect(answers.map(({ messages }) => text(messages[0]))).toEqual(calls.map((_, at) => String(at)));
});

test("a status message is encoded as printable ASCII", () => {
  expect(percentEncode("100 % größer\n")).toBe("100 %25 gr%C3%B6%C3%9Fer%0A");
  expect(decodeURIComponent(percentEncode("\u0000 ~ \u{1f600}"))).toBe("\u0000 ~ \u{1f600}");
});

test("with a client certificate, a caller without it or with another one is rejected", async () => {
  const [own, engine, stranger] = [0, 1, 2].map(() => makeCertificate(Date.now()));
  if (own === undefined || engine === undefined || stranger === undefined) throw new Error("no certificate");
  const errors: unknown[] = [];
  let calls = 0;
  const counted: Handler = async (request) => {
    calls++;
    return request;
  };
  server = grpcServer({
    route: async () => bindMethod(bytes, counted),
    onError: () => {},
  });
  const onError = (_: string, error: unknown) => errors.push(error);
  listener = await listenSecurely(anyPort, server.accept, { certificate: own, client: engine.cert, onError });
  const address = `https://localhost:${listener.port}`;
  const call = async (certificate: object) => {
    const caller = await connect(address, { ca: own.cert, ...certificate });
    try {
      return await caller.send(path, [frame(Buffer.from("hello"))]);
    } finally {
      await caller.close();
    }
  };
  const refused = new Error("the certificate of the client is not that of the engine");
  await expect(call({})).rejects.toThrow("the connection closed");
  await expect(call({ key: stranger.key, cert: stranger.cert })).rejects.toThrow("the connection closed");
  expect([calls, errors]).toEqual([0, [refused, refused]]);
  const trusted = await call({ key: engine.key, cert: engine.cert });
  expect(trusted.messages.map(text)).toEqual(["hello"]);
});
