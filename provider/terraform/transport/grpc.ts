import * as http2 from "node:http2";

/**
 * A gRPC server on `node:http2`: unary and server-streaming methods with static codecs. A library costs every
 * process 30 ms or every call a millisecond, and an engine starts the plugin several times a command.
 */

/** A method as the generated service tables hold it. */
export interface Method<Q, A> {
  readonly requestType: { decode(bytes: Uint8Array): Q };
  readonly responseType: { encode(answer: A): { finish(): Uint8Array } };
}

/** Where a call comes from and when it is to stop. */
export interface Call {
  /** Aborts when the caller has gone or asks to stop. */
  readonly signal: AbortSignal;
  /** The connection it came over; one object for as long as that is open. */
  readonly connection: object;
}

type Implementation<Q, A> = (request: Q, call: Call) => Promise<A> | AsyncIterable<A>;

/** A method with its code, as the server calls it; `bind` makes one. */
export interface Bound {
  run(request: Uint8Array, call: Call): AsyncIterable<Uint8Array>;
}

/** Methods by path: `/tfplugin6.Provider/GetMetadata`. */
export type Routes = { readonly [path: string]: Bound };

/** Ties a method's codec to its code, so that a route no longer knows its types. */
export function bind<Q, A>(method: Method<Q, A>, implementation: Implementation<Q, A>): Bound {
  const frameOf = (answer: A) => frame(method.responseType.encode(answer).finish());
  return {
    async *run(bytes, call) {
      const answer = implementation(method.requestType.decode(bytes), call);
      if (Symbol.asyncIterator in answer) for await (const part of answer) yield frameOf(part);
      else yield frameOf(await answer);
    },
  };
}

/** A method whose answer never changes: one that is framed already. */
export const always = (framed: Uint8Array): Bound => ({
  async *run() {
    yield framed;
  },
});

/** The method at a path, which may be any text that a caller chose. */
export const routeOf = (routes: Routes, path: string): Bound | undefined =>
  Object.hasOwn(routes, path) ? routes[path] : undefined;

/** The codes of gRPC that are used here. */
export const status = {
  ok: 0,
  cancelled: 1,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
} as const;

/** A call that ends with a code instead of an answer. */
class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const prefixLength = 5;
/** As much as the SDKs of the engines' own plugins take. */
const maxMessage = 256 * 1024 * 1024;

/** A message behind its prefix: one byte "not compressed", four bytes length. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(prefixLength + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, prefixLength);
  return framed;
}

/** The one message of a request body. Throws `GrpcError` where there is not exactly one. */
function unframe(body: Buffer): Uint8Array {
  if (body.length < prefixLength) throw new GrpcError(status.internal, "the request holds no message");
  if (body[0] !== 0) throw new GrpcError(status.unimplemented, "compressed messages are not supported");
  if (body.readUInt32BE(1) !== body.length - prefixLength)
    throw new GrpcError(status.internal, "the request does not hold exactly one message");
  return body.subarray(prefixLength);
}

/** A whole request body, however its frames were cut or joined. */
function receive(stream: http2.ServerHttp2Stream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    stream.on("data", (part: Buffer) => {
      length += part.length;
      if (length <= maxMessage + prefixLength) parts.push(part);
      else reject(new GrpcError(status.resourceExhausted, "the request is larger than 256 MiB"));
    });
    // An error costs a look at the stack, and every stream closes: it is made only for one that never ended.
    const gone = () => reject(new GrpcError(status.cancelled, "the caller has gone"));
    stream.once("close", gone);
    stream.once("end", () => {
      stream.off("close", gone);
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length));
    });
  });
}

/** `grpc-message` carries printable ASCII; anything else, and the percent sign, travels as %XX. */
export const percentEncode = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const trailers = (code: number, message: string): http2.OutgoingHttpHeaders => ({
  "grpc-status": String(code),
  ...(message === "" ? {} : { "grpc-message": percentEncode(message) }),
});

const responseHeaders = { ":status": 200, "content-type": "application/grpc+proto" };

/** Ends a call for which nothing was sent yet: headers and trailers in one frame. */
function refuse(stream: http2.ServerHttp2Stream, code: number, message: string): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ...responseHeaders, ...trailers(code, message) }, { endStream: true });
  stream.resume();
}

/** Waits until what was written may be followed by more; rejects when nobody reads any longer. */
function drained(stream: http2.ServerHttp2Stream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("drain", resolve);
    stream.once("close", () => reject(new GrpcError(status.cancelled, "the caller has gone")));
  });
}

async function answer(stream: http2.ServerHttp2Stream, frames: AsyncIterable<Uint8Array>): Promise<void> {
  let end = trailers(status.ok, "");
  const open = () => {
    if (stream.headersSent || stream.destroyed) return;
    stream.once("wantTrailers", () => stream.sendTrailers(end));
    stream.respond(responseHeaders, { waitForTrailers: true });
  };
  try {
    for await (const part of frames) {
      if (stream.destroyed) return;
      open();
      if (!stream.write(part)) await drained(stream);
    }
    open();
  } catch (error) {
    if (!stream.headersSent) throw error;
    end = trailers(status.internal, "the answer broke off");
    throw error;
  } finally {
    if (stream.headersSent && !stream.destroyed) stream.end();
  }
}

export interface GrpcOptions {
  /** Finds a method by its path; the call waits for it. */
  readonly route: (path: string) => Promise<Bound | undefined>;
  /** With it a client has to show one certificate, `client`. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly client: string } | undefined;
  /** Told of every call that ended in an error of ours; the caller itself is told no more than that. */
  readonly failed: (method: string, error: unknown) => void;
  /** Told when the last connection has closed. */
  readonly deserted?: () => void;
}

export interface GrpcServer {
  readonly socket: http2.Http2Server | http2.Http2SecureServer;
  /** Calls that are not answered yet. */
  inFlight(): number;
  /** Open connections. */
  connections(): number;
  /** Aborts the calls in flight: those of one connection, or all. */
  stop(connection?: object): void;
}

/** A server that does not listen yet. */
export function grpcServer({ route, tls, failed, deserted }: GrpcOptions): GrpcServer {
  const calls = new Map<AbortController, object>();
  const sessions = new Set<object>();
  const limits: http2.ServerOptions = {
    settings: { initialWindowSize: 16 * 1024 * 1024 },
    maxSessionMemory: 1024,
  };
  const socket =
    tls === undefined
      ? http2.createServer(limits)
      : http2.createSecureServer({
          ...limits,
          key: tls.key,
          cert: tls.cert,
          ca: tls.client,
          requestCert: true,
          rejectUnauthorized: true,
          minVersion: "TLSv1.2",
        });

  const serve = async (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
    const path = String(headers[":path"]);
    const connection = stream.session as object;
    const stop = new AbortController();
    calls.set(stop, connection);
    stream.once("close", () => calls.has(stop) && stop.abort());
    try {
      const [request, bound] = await Promise.all([receive(stream), route(path)]);
      if (bound === undefined) throw new GrpcError(status.unimplemented, `unknown method ${path}`);
      await answer(stream, bound.run(unframe(request), { signal: stop.signal, connection }));
    } catch (error) {
      const known = error instanceof GrpcError;
      if (!known) failed(path, error);
      if (!stream.headersSent)
        refuse(stream, known ? error.code : status.internal, known ? error.message : `${path} failed`);
    } finally {
      calls.delete(stop);
    }
  };

  // A connection or a stream that breaks is a caller that has gone: its calls abort when it closes.
  socket.on("session", (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.setLocalWindowSize(64 * 1024 * 1024);
    session.on("error", () => {});
    session.once("close", () => {
      sessions.delete(session);
      if (sessions.size === 0) deserted?.();
    });
  });
  socket.on("tlsClientError", (error) => failed("the TLS handshake", error));
  socket.on("stream", (stream: http2.ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    void serve(stream, headers);
  });
  return {
    socket,
    inFlight: () => calls.size,
    connections: () => sessions.size,
    stop: (connection) => {
      for (const [call, from] of calls) if (connection === undefined || from === connection) call.abort();
    },
  };
}
