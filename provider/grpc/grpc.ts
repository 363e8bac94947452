import { encodeFields } from "./http2/hpack.ts";
import { type ConnectionServer, serveConnection } from "./http2/http2.ts";
import type { Connection, Receiver, Stream } from "./http2/stream.ts";

/**
 * gRPC server: unary and server-streaming methods with static codecs. Libraries cost 30 ms per process or a millisecond per
 * call, and an engine starts the plugin several times per command.
 */

/** Writer of messages. `finish` returns the message; the writer can then write another one to the same memory. */
interface Writer {
  finish(): Uint8Array;
}

/** Codec of a method, from a generated service definition. */
export interface Method<Q, A> {
  readonly requestType: { decode(bytes: Uint8Array): Q };
  readonly responseType: { encode(answer: A, writer?: Writer): Writer };
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

/** Size in bytes of the largest message whose writer is used again. */
const largestReused = 64 * 1024;

/** Combines the codec of a method with its implementation. */
export function bindMethod<Q, A>(method: Method<Q, A>, implementation: Implementation<Q, A>): BoundMethod {
  /** Writer of the last response; undefined if that was large, or could not be written. */
  let lastWriter: Writer | undefined;
  const frameOf = (answer: A) => {
    const reused = lastWriter;
    lastWriter = undefined;
    const writer = method.responseType.encode(answer, reused);
    const message = writer.finish();
    if (message.length <= largestReused) lastWriter = writer;
    return frame(message);
  };
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

/** Body of a request, as it arrives. */
interface Body extends Pick<Receiver, "data" | "end"> {
  /** Resolves with the whole body. Rejects with `GrpcError` if the body is too large or the caller leaves. */
  readonly whole: Promise<Buffer>;
  /** Rejects the body unless it is complete. */
  cut(): void;
}

function createBody(maxMessage: number): Body {
  const parts: Buffer[] = [];
  let length = 0;
  let isComplete = false;
  const isTooLarge = () => length > maxMessage + prefixLength;
  const { promise: whole, resolve, reject } = Promise.withResolvers<Buffer>();
  return {
    whole,
    data(part) {
      length += part.length;
      parts.push(part);
      if (!isTooLarge()) return;
      parts.length = 0;
      reject(
        new GrpcError(status.resourceExhausted, `the request is larger than ${maxMessage / 1024 / 1024} MiB`),
      );
    },
    end() {
      isComplete = true;
      if (!isTooLarge()) resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length));
    },
    // An error captures the stack, so it is created only for a body that ends early.
    cut() {
      if (!isComplete) reject(new GrpcError(status.cancelled, "the caller has gone"));
    },
  };
}

/** Encodes a `grpc-message`: percent signs and all characters except printable ASCII as %XX. */
export const percentEncode = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

/** Returns the header fields that end a call. */
const trailers = (code: number, message: string, details?: Uint8Array): Record<string, string> => ({
  "grpc-status": String(code),
  ...(message === "" ? {} : { "grpc-message": percentEncode(message) }),
  ...(details && { "grpc-status-details-bin": Buffer.from(details).toString("base64") }),
});

const responseHeaders = { ":status": "200", "content-type": "application/grpc+proto" };

/** Header blocks of a successful call. */
const blocks = { start: encodeFields(responseHeaders), end: encodeFields(trailers(status.ok, "")) };

/** Ends a call without a response: sends headers and trailers in one block. */
const sendError = (
  stream: Stream,
  { code, message, details }: Pick<GrpcError, "code" | "message" | "details">,
): void => stream.end(encodeFields({ ...responseHeaders, ...trailers(code, message, details) }));

const isUnary = (frames: Frames): frames is readonly [Promise<Uint8Array>] => Array.isArray(frames);

async function sendResponse(stream: Stream, frames: Frames): Promise<void> {
  const start = () => {
    if (!stream.hasResponded) stream.respond(blocks.start);
  };
  try {
    if (isUnary(frames)) {
      const message = await frames[0];
      start();
      // A single message may wait for room after the call: its end follows it.
      void stream.write(message);
    } else
      for await (const part of frames) {
        start();
        await stream.write(part);
        if (stream.isClosed) return;
      }
    start();
  } catch (error) {
    if (stream.hasResponded) stream.end(encodeFields(trailers(status.internal, "the response ended early")));
    throw error;
  }
  stream.end(blocks.end);
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

export interface GrpcOptions {
  /** Finds the method at a path; undefined for an unknown path. */
  readonly route: (path: string) => Promise<BoundMethod | undefined>;
  /** Maximum length of a request in bytes; default: 256 MiB. */
  readonly maxMessage?: number;
  /** Receives the error of each call that failed unexpectedly; the caller gets only a status code. */
  readonly onError: (method: string, error: unknown) => void;
  /** Called when the last connection has closed. */
  readonly onIdle?: () => void;
}

/** gRPC server, with access to its calls and connections. */
export interface GrpcServer {
  /** Serves a new connection. Returns the receiver of its events. */
  accept(connection: Connection): ConnectionServer;
  /** Number of running calls. */
  inFlight(): number;
  /** Resolves when no call is running: their responses are written. */
  idle(): Promise<void>;
  /** Number of open connections. */
  connections(): number;
  /** Aborts the running calls of a connection, or all. */
  stop(connection?: object): void;
}

/** Creates a server; `listen` passes connections to it. */
export function grpcServer({
  route,
  maxMessage = defaultMaxMessage,
  onError,
  onIdle,
}: GrpcOptions): GrpcServer {
  const calls = new Set<RunningCall>();
  const connections = new Set<Connection>();
  /** Functions that end the waits for no running call. */
  const waiting: (() => void)[] = [];

  const acceptStream = (connection: object, stream: Stream): Receiver => {
    const path = stream.headers.get(":path") ?? "";
    const body = createBody(maxMessage);
    const call = createCall(connection, (error) => onError(path, error));
    let isDone = false;
    let isClosed = false;
    // A call runs until its response is written, or until it has noticed that its caller has left.
    const settle = () => {
      if (!isDone || !isClosed) return;
      calls.delete(call);
      if (calls.size === 0) for (const resolve of waiting.splice(0)) resolve();
    };
    const serve = async () => {
      try {
        const [request, bound] = await Promise.all([body.whole, route(path)]);
        if (bound === undefined) throw new GrpcError(status.unimplemented, `unknown method ${path}`);
        await sendResponse(stream, bound.run(unframe(request), call));
      } catch (error) {
        if (!isGrpcError(error)) onError(path, error);
        if (!stream.hasResponded)
          sendError(stream, isGrpcError(error) ? error : new GrpcError(status.internal, `${path} failed`));
      }
      isDone = true;
      settle();
    };
    calls.add(call);
    void serve();
    return {
      data: body.data,
      end: body.end,
      close() {
        body.cut();
        isClosed = true;
        if (!isDone) call.stop();
        settle();
      },
    };
  };

  return {
    accept(connection) {
      connections.add(connection);
      return serveConnection(connection, {
        accept: (stream) => acceptStream(connection, stream),
        onClose: () => {
          connections.delete(connection);
          if (connections.size === 0) onIdle?.();
        },
        onError: (error) => onError("the connection", error),
      });
    },
    inFlight: () => calls.size,
    idle: () => (calls.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    connections: () => connections.size,
    stop: (connection) => {
      for (const call of calls) if (connection === undefined || call.connection === connection) call.stop();
    },
  };
}
