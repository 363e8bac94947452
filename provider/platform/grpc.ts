import * as http2 from "node:http2";

/**
 * gRPC server on `node:http2`: unary and server-streaming methods with static codecs. Libraries cost 30 ms per process
 * or a millisecond per call, and an engine starts the plugin several times per command.
 */

/** Codec of a method, from a generated service definition. */
export interface Method<Q, A> {
  readonly requestType: { decode(bytes: Uint8Array): Q };
  readonly responseType: { encode(answer: A): { finish(): Uint8Array } };
}

/** Origin and cancellation of a call. */
export interface GrpcCall {
  /** Aborts when the caller disconnects or cancels. Created when it is first read: most calls do not read it. */
  readonly signal: AbortSignal;
  /** Identity of the connection: the same object as long as the connection is open. */
  readonly connection: object;
  /** Receives an error that the response does not contain. */
  readonly onError?: (error: unknown) => void;
}

type Implementation<Q, A> = (request: Q, call: GrpcCall) => Promise<A> | AsyncIterable<A>;

/** Framed messages of a response. Without a generator, the one of a unary method takes fewer turns of the event loop. */
type Frames = AsyncIterable<Uint8Array> | readonly [Promise<Uint8Array>];

/** Method with codec and implementation, on framed messages; see `bindMethod`. */
export interface BoundMethod {
  run(request: Uint8Array, call: GrpcCall): Frames;
}

/** Methods by path, such as `/tfplugin6.Provider/GetMetadata`. */
export type Routes = { readonly [path: string]: BoundMethod };

/** Combines the codec of a method with its implementation. */
export function bindMethod<Q, A>(method: Method<Q, A>, implementation: Implementation<Q, A>): BoundMethod {
  const frameOf = (answer: A) => frame(method.responseType.encode(answer).finish());
  async function* framesOf(answers: AsyncIterable<A>) {
    for await (const answer of answers) yield frameOf(answer);
  }
  return {
    run(bytes, call) {
      const answer = implementation(method.requestType.decode(bytes), call);
      return Symbol.asyncIterator in answer ? framesOf(answer) : [answer.then(frameOf)];
    },
  };
}

/** Creates a method with a constant response that is already framed. */
export const constantMethod = (framed: Uint8Array): BoundMethod => ({
  run: () => [Promise.resolve(framed)],
});

/** Returns the method at a path. Ignores inherited properties, since callers choose the path. */
export const routeOf = (routes: Routes, path: string): BoundMethod | undefined =>
  Object.hasOwn(routes, path) ? routes[path] : undefined;

/** gRPC status codes in use. */
export const status = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
} as const;

/** Error that ends a call with a status code. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly code: number;
  /** Encoded `google.rpc.Status` with details of the error. */
  readonly details: Uint8Array | undefined;
  constructor(code: number, message: string, details?: Uint8Array) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Returns true for a `GrpcError`, also if another bundle created it and its class is a different object. */
const isGrpcError = (error: unknown): error is GrpcError =>
  error instanceof Error && error.name === "GrpcError";

const prefixLength = 5;
/** Maximum length of a message in bytes, as in the SDKs of other Terraform plugins. */
const defaultMaxMessage = 256 * 1024 * 1024;

/** Prefixes a message with the byte 0 for "not compressed" and its length in four bytes. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(prefixLength + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, prefixLength);
  return framed;
}

/** Extracts the message of a request body. Throws `GrpcError` for a body without exactly one message. */
function unframe(body: Buffer): Uint8Array {
  if (body.length < prefixLength) throw new GrpcError(status.internal, "the request holds no message");
  if (body[0] !== 0) throw new GrpcError(status.unimplemented, "compressed messages are not supported");
  if (body.readUInt32BE(1) !== body.length - prefixLength)
    throw new GrpcError(status.internal, "the request does not hold exactly one message");
  return body.subarray(prefixLength);
}

/** Reads a whole request body. */
function receive(stream: http2.ServerHttp2Stream, maxMessage: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    stream.on("data", (part: Buffer) => {
      length += part.length;
      if (length <= maxMessage + prefixLength) parts.push(part);
      else
        reject(
          new GrpcError(
            status.resourceExhausted,
            `the request is larger than ${maxMessage / 1024 / 1024} MiB`,
          ),
        );
    });
    // An error captures the stack, so it is created only for a stream that closes before its end.
    const gone = () => reject(new GrpcError(status.cancelled, "the caller has gone"));
    stream.once("close", gone);
    stream.once("end", () => {
      stream.off("close", gone);
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length));
    });
  });
}

/** Encodes a `grpc-message`: percent signs and all characters except printable ASCII as %XX. */
export const percentEncode = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const trailers = (code: number, message: string, details?: Uint8Array): http2.OutgoingHttpHeaders => ({
  "grpc-status": String(code),
  ...(message === "" ? {} : { "grpc-message": percentEncode(message) }),
  ...(details && { "grpc-status-details-bin": Buffer.from(details).toString("base64") }),
});

const responseHeaders = { ":status": 200, "content-type": "application/grpc+proto" };

/** Ends a call without a response: sends headers and trailers in one frame. */
function sendError(
  stream: http2.ServerHttp2Stream,
  { code, message, details }: Pick<GrpcError, "code" | "message" | "details">,
): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ...responseHeaders, ...trailers(code, message, details) }, { endStream: true });
  stream.resume();
}

/** Waits until the stream accepts more data; rejects when it is closed. */
function drained(stream: http2.ServerHttp2Stream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("drain", resolve);
    stream.once("close", () => reject(new GrpcError(status.cancelled, "the caller has gone")));
  });
}

const isUnary = (frames: Frames): frames is readonly [Promise<Uint8Array>] => Array.isArray(frames);

const succeeded = trailers(status.ok, "");

async function sendResponse(stream: http2.ServerHttp2Stream, frames: Frames): Promise<void> {
  let end: http2.OutgoingHttpHeaders = succeeded;
  const open = () => {
    if (stream.headersSent || stream.destroyed) return;
    stream.once("wantTrailers", () => stream.sendTrailers(end));
    stream.respond(responseHeaders, { waitForTrailers: true });
  };
  const send = async (part: Uint8Array) => {
    if (stream.destroyed) return;
    open();
    if (!stream.write(part)) await drained(stream);
  };
  try {
    if (isUnary(frames)) await send(await frames[0]);
    else
      for await (const part of frames) {
        if (stream.destroyed) return;
        await send(part);
      }
    open();
  } catch (error) {
    if (!stream.headersSent) throw error;
    end = trailers(status.internal, "the response ended early");
    throw error;
  } finally {
    if (stream.headersSent && !stream.destroyed) stream.end();
  }
}

/** A running call that can be stopped. */
interface RunningCall extends GrpcCall {
  stop(): void;
}

function createCall(connection: object, onError: (error: unknown) => void): RunningCall {
  let controller: AbortController | undefined;
  let isStopped = false;
  return {
    connection,
    onError,
    get signal() {
      controller ??= new AbortController();
      if (isStopped) controller.abort();
      return controller.signal;
    },
    stop() {
      isStopped = true;
      controller?.abort();
    },
  };
}

/** Options of a gRPC server. */
export interface GrpcOptions {
  /** Finds the method at a path; undefined for an unknown path. */
  readonly route: (path: string) => Promise<BoundMethod | undefined>;
  /** Mutual TLS: clients must present the certificate `client`. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly client: string } | undefined;
  /** Maximum length of a request in bytes; default: 256 MiB. */
  readonly maxMessage?: number;
  /** Receives the error of each call that failed unexpectedly; the caller gets only a status code. */
  readonly onError: (method: string, error: unknown) => void;
  /** Called when the last connection has closed. */
  readonly onIdle?: () => void;
}

/** gRPC server, with access to its calls and connections. */
export interface GrpcServer {
  readonly http: http2.Http2Server | http2.Http2SecureServer;
  /** Number of running calls. */
  inFlight(): number;
  /** Number of open connections. */
  connections(): number;
  /** Aborts the running calls of a connection, or all. */
  stop(connection?: object): void;
}

/** Creates a server that does not listen yet. */
export function grpcServer({
  route,
  tls,
  maxMessage = defaultMaxMessage,
  onError,
  onIdle,
}: GrpcOptions): GrpcServer {
  const calls = new Set<RunningCall>();
  const sessions = new Set<object>();
  const limits: http2.ServerOptions = {
    settings: { initialWindowSize: 16 * 1024 * 1024 },
    maxSessionMemory: 1024,
    // The details of an error contain a whole object.
    maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
  };
  const http =
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
    const call = createCall(stream.session as object, (error) => onError(path, error));
    calls.add(call);
    stream.once("close", () => calls.has(call) && call.stop());
    try {
      const [request, bound] = await Promise.all([receive(stream, maxMessage), route(path)]);
      if (bound === undefined) throw new GrpcError(status.unimplemented, `unknown method ${path}`);
      await sendResponse(stream, bound.run(unframe(request), call));
    } catch (error) {
      if (!isGrpcError(error)) onError(path, error);
      if (!stream.headersSent)
        sendError(stream, isGrpcError(error) ? error : new GrpcError(status.internal, `${path} failed`));
    } finally {
      calls.delete(call);
    }
  };

  // Errors of connections and streams are ignored: their calls abort when the stream closes.
  http.on("session", (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.setLocalWindowSize(64 * 1024 * 1024);
    session.on("error", () => {});
    session.once("close", () => {
      sessions.delete(session);
      if (sessions.size === 0) onIdle?.();
    });
  });
  http.on("tlsClientError", (error) => onError("the TLS handshake", error));
  http.on("stream", (stream: http2.ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    void serve(stream, headers);
  });
  return {
    http,
    inFlight: () => calls.size,
    connections: () => sessions.size,
    stop: (connection) => {
      for (const call of calls) if (connection === undefined || call.connection === connection) call.stop();
    },
  };
}
