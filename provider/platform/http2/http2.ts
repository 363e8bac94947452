import {
  ConnectionError,
  createFrameReader,
  defaultWindow,
  errorCode,
  type Frame,
  flag,
  frameHead,
  frameSize,
  frameType,
  goAwayFrame,
  headersFrames,
  largestWindow,
  numberFrame,
  setting,
  settingsFrame,
  unpadded,
} from "./frame.ts";
import { createFieldDecoder, type Fields, HeaderError } from "./hpack.ts";

export { encodeFields } from "./hpack.ts";

/**
 * Server side of an HTTP/2 connection (RFC 9113), as far as gRPC needs it: request bodies as they arrive, responses of
 * headers, data and trailers, flow control. Without push and priorities, which no client needs. Node's own HTTP/2 delays
 * each start of a plugin and takes a fifth of the processor time of an apply (`bench/README.md`).
 */

/** Stream of a connection: a request, and the response to it. */
export interface Stream {
  /** Header fields of the request. */
  readonly headers: Fields;
  /** True after the end of the response, and after either side has cancelled the stream: then nothing more is sent. */
  readonly isClosed: boolean;
  /** True once `respond` was called. */
  readonly hasResponded: boolean;
  /** Sends the header block of the response (`encodeFields`). */
  respond(block: Buffer): void;
  /** Sends data. Returns a promise that resolves when the client has room for more, or undefined if it has. */
  write(part: Uint8Array): Promise<void> | undefined;
  /** Ends the response with this header block, which is the only one of a response without data. */
  end(block: Buffer): void;
}

/** Receiver of a request, for one stream. */
export interface Receiver {
  data(part: Buffer): void;
  end(): void;
  /** Called once, when the stream is closed and its last frame is written. */
  close(): void;
}

/**
 * Windows in bytes of a stream and of a connection, for requests. They are renewed when half of them is used, since a
 * receiver accepts data at once.
 */
const window = { stream: 16 * 1024 * 1024, connection: 64 * 1024 * 1024 };
/** Maximum size in bytes of a header block, and of its fields. */
const largestBlock = 1024 * 1024;

/** Receiver of a stream until `accept` returns its own. */
const none: Receiver = { data() {}, end() {}, close() {} };

interface OpenStream extends Stream {
  readonly id: number;
  receiver: Receiver;
  isClosed: boolean;
  hasResponded: boolean;
  /** True after the end of the request. */
  isEnded: boolean;
  /** Received bytes for which no window update was sent yet. */
  received: number;
  /** Bytes that the client still accepts. */
  room: number;
  /** Data that waits for room. */
  readonly queue: Uint8Array[];
  /** Header block at the end of the response, once it is known. */
  trailers: Buffer | undefined;
  /** Called when the queue is empty or the stream is closed. */
  drained: (() => void) | undefined;
}

/** Header block that has not ended yet. */
interface OpenBlock {
  readonly stream: number;
  readonly isEnd: boolean;
  readonly parts: Buffer[];
}

/** Connection of a client, as the server uses it. */
export interface Connection {
  /** Sends frames in this order, as soon as the network accepts them. Does nothing after the connection has closed. */
  write(frames: readonly Uint8Array[]): void;
  /** Closes the connection after all frames are sent. */
  end(): void;
}

/** Receives the events of a connection. */
export interface ConnectionServer {
  data(bytes: Buffer): void;
  close(): void;
}

/** Events of the streams of a connection. */
export interface ConnectionOptions {
  /** Returns the receiver of a new request. */
  readonly accept: (stream: Stream) => Receiver;
  /** Called when the connection has closed. */
  readonly onClose: () => void;
  /** Receives an unexpected error, which ends the connection. */
  readonly onError: (error: unknown) => void;
}

/** Serves a connection. Returns the receiver of its events. */
export function serveConnection(
  connection: Connection,
  { accept, onClose, onError }: ConnectionOptions,
): ConnectionServer {
  const streams = new Map<number, OpenStream>();
  /** Streams with data that waits for room. */
  const waiting = new Set<OpenStream>();
  const decode = createFieldDecoder(largestBlock);
  let lastStream = 0;
  let block: OpenBlock | undefined;
  let received = 0;
  let room = defaultWindow;
  let initialRoom = defaultWindow;
  let hasFailed = false;

  let output: Uint8Array[] = [];
  let finished: OpenStream[] = [];

  /** Writes the frames of one turn of the event loop at once: each write costs a system call. */
  const flush = () => {
    const frames = output;
    const ended = finished;
    output = [];
    finished = [];
    if (frames.length > 0) connection.write(frames);
    for (const { receiver } of ended) receiver.close();
  };
  const send = (...frames: readonly Uint8Array[]) => {
    if (output.length === 0) setImmediate(flush);
    output.push(...frames);
  };

  /** Forgets a stream that the client or the connection has ended. */
  const close = (stream: OpenStream) => {
    if (stream.isClosed) return;
    forget(stream);
    stream.receiver.close();
  };
  const forget = (stream: OpenStream) => {
    stream.isClosed = true;
    streams.delete(stream.id);
    waiting.delete(stream);
    stream.queue.length = 0;
    stream.drained?.();
  };
  const reset = (stream: OpenStream, code: number) => {
    send(numberFrame(frameType.resetStream, stream.id, code));
    close(stream);
  };

  /** Sends the data of a stream as far as the client has room, then the end of the response if it is known. */
  const pump = (stream: OpenStream) => {
    for (;;) {
      const [part] = stream.queue;
      if (part === undefined) break;
      const length = Math.min(part.length, frameSize, stream.room, room);
      if (length <= 0) {
        waiting.add(stream);
        return;
      }
      send(frameHead(frameType.data, 0, stream.id, length), part.subarray(0, length));
      stream.room -= length;
      room -= length;
      if (length === part.length) stream.queue.shift();
      else stream.queue[0] = part.subarray(length);
    }
    waiting.delete(stream);
    stream.drained?.();
    if (stream.trailers === undefined) return;
    send(...headersFrames(stream.id, stream.trailers, true));
    // The rest of the request is not needed.
    if (!stream.isEnded) send(numberFrame(frameType.resetStream, stream.id, errorCode.none));
    forget(stream);
    finished.push(stream);
  };
  const pumpAll = () => {
    for (const stream of [...waiting]) if (room > 0) pump(stream);
  };

  const open = (id: number, headers: Fields): OpenStream => {
    const stream: OpenStream = {
      id,
      headers,
      receiver: none,
      isClosed: false,
      hasResponded: false,
      isEnded: false,
      received: 0,
      room: initialRoom,
      queue: [],
      trailers: undefined,
      drained: undefined,
      respond(fields) {
        if (stream.isClosed) return;
        stream.hasResponded = true;
        send(...headersFrames(id, fields, false));
      },
      write(part) {
        if (stream.isClosed || part.length === 0) return undefined;
        stream.queue.push(part);
        pump(stream);
        if (stream.queue.length === 0) return undefined;
        return new Promise((resolve) => {
          stream.drained = resolve;
        });
      },
      end(fields) {
        if (stream.isClosed || stream.trailers !== undefined) return;
        stream.trailers = fields;
        if (stream.queue.length === 0) pump(stream);
      },
    };
    streams.set(id, stream);
    stream.receiver = accept(stream);
    return stream;
  };

  const endRequest = (stream: OpenStream) => {
    stream.isEnded = true;
    stream.receiver.end();
  };

  /** Returns an open stream; undefined for a closed one, whose frames may still arrive. */
  const streamOf = ({ stream: id }: Frame): OpenStream | undefined => {
    if (id === 0 || id > lastStream)
      throw new ConnectionError(errorCode.protocol, "a frame belongs to a stream that was not opened");
    return streams.get(id);
  };

  const onData = (frame: Frame) => {
    const { length } = frame.payload;
    const stream = streamOf(frame);
    received += length;
    if (received >= window.connection / 2) {
      send(numberFrame(frameType.windowUpdate, 0, received));
      received = 0;
    }
    if (stream === undefined) return;
    if (stream.isEnded) return reset(stream, errorCode.streamClosed);
    stream.received += length;
    const content = unpadded(frame);
    if (content.length > 0) stream.receiver.data(content);
    if ((frame.flags & flag.endStream) !== 0) return endRequest(stream);
    if (stream.received < window.stream / 2) return;
    send(numberFrame(frameType.windowUpdate, stream.id, stream.received));
    stream.received = 0;
  };

  const onBlock = ({ stream: id, isEnd, parts }: OpenBlock) => {
    // A block is decoded even if its stream is closed: it changes the table of the connection.
    const fields = decode(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    const known = streams.get(id);
    if (known !== undefined) {
      if (!isEnd || known.isEnded)
        throw new ConnectionError(errorCode.protocol, "header fields within a request");
      return endRequest(known);
    }
    if (id <= lastStream) return;
    lastStream = id;
    const stream = open(id, fields);
    if (isEnd) endRequest(stream);
  };

  const onHeaders = (frame: Frame) => {
    const { type, flags, stream } = frame;
    if (type === frameType.headers) {
      if (stream % 2 === 0) throw new ConnectionError(errorCode.protocol, "invalid stream ID");
      block = { stream, isEnd: (flags & flag.endStream) !== 0, parts: [unpadded(frame)] };
    } else if (block === undefined) {
      throw new ConnectionError(errorCode.protocol, "CONTINUATION without HEADERS");
    } else {
      block.parts.push(frame.payload);
      if (block.parts.length > largestBlock / frameSize)
        throw new ConnectionError(errorCode.enhanceYourCalm, "the header block is too large");
    }
    if ((flags & flag.endHeaders) === 0) return;
    const complete = block;
    block = undefined;
    onBlock(complete);
  };

  const onSettings = ({ flags, stream: id, payload }: Frame) => {
    if (id !== 0) throw new ConnectionError(errorCode.protocol, "SETTINGS of a stream");
    const isAcknowledged = (flags & flag.acknowledge) !== 0;
    if (isAcknowledged ? payload.length > 0 : payload.length % 6 !== 0)
      throw new ConnectionError(errorCode.frameSize, "SETTINGS of a wrong length");
    if (isAcknowledged) return;
    for (let at = 0; at < payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== setting.initialWindowSize) continue;
      const size = payload.readUInt32BE(at + 2);
      for (const stream of streams.values()) stream.room += size - initialRoom;
      initialRoom = size;
      if (size > largestWindow || [...streams.values()].some((stream) => stream.room > largestWindow))
        throw new ConnectionError(errorCode.flowControl, "the window of a stream is too large");
    }
    send(frameHead(frameType.settings, flag.acknowledge, 0, 0));
    pumpAll();
  };

  const onPing = ({ flags, stream, payload }: Frame) => {
    if (stream !== 0) throw new ConnectionError(errorCode.protocol, "PING of a stream");
    if (payload.length !== 8) throw new ConnectionError(errorCode.frameSize, "PING of a wrong length");
    if ((flags & flag.acknowledge) === 0)
      send(frameHead(frameType.ping, flag.acknowledge, 0, payload.length), payload);
  };

  const onWindowUpdate = (frame: Frame) => {
    if (frame.payload.length !== 4)
      throw new ConnectionError(errorCode.frameSize, "WINDOW_UPDATE of a wrong length");
    const added = frame.payload.readUInt32BE(0) & largestWindow;
    if (frame.stream === 0) {
      room += added;
      if (added === 0) throw new ConnectionError(errorCode.protocol, "WINDOW_UPDATE of zero");
      if (room > largestWindow)
        throw new ConnectionError(errorCode.flowControl, "the window of the connection is too large");
      return pumpAll();
    }
    const stream = streamOf(frame);
    if (stream === undefined) return;
    stream.room += added;
    if (added === 0) return reset(stream, errorCode.protocol);
    if (stream.room > largestWindow) return reset(stream, errorCode.flowControl);
    if (waiting.has(stream)) pump(stream);
  };

  const onResetStream = (frame: Frame) => {
    if (frame.payload.length !== 4)
      throw new ConnectionError(errorCode.frameSize, "RST_STREAM of a wrong length");
    const stream = streamOf(frame);
    if (stream !== undefined) close(stream);
  };

  const onFrame = (frame: Frame) => {
    const { type, stream } = frame;
    if (block !== undefined && (type !== frameType.continuation || stream !== block.stream))
      throw new ConnectionError(errorCode.protocol, "a header block is interrupted");
    if (type === frameType.data) onData(frame);
    else if (type === frameType.headers || type === frameType.continuation) onHeaders(frame);
    else if (type === frameType.settings) onSettings(frame);
    else if (type === frameType.ping) onPing(frame);
    else if (type === frameType.windowUpdate) onWindowUpdate(frame);
    else if (type === frameType.resetStream) onResetStream(frame);
    else if (type === frameType.pushPromise)
      throw new ConnectionError(errorCode.protocol, "a client cannot push");
    // PRIORITY and GOAWAY change nothing here. Unknown types are ignored, as the protocol asks.
  };

  const fail = (error: unknown) => {
    hasFailed = true;
    if (error instanceof ConnectionError) send(goAwayFrame(lastStream, error.code, error.message));
    else if (error instanceof HeaderError)
      send(goAwayFrame(lastStream, errorCode.compression, error.message));
    else {
      onError(error);
      send(goAwayFrame(lastStream, errorCode.internal, ""));
    }
    flush();
    connection.end();
  };

  const read = createFrameReader(onFrame);
  send(
    settingsFrame([[setting.initialWindowSize, window.stream]]),
    numberFrame(frameType.windowUpdate, 0, window.connection - defaultWindow),
  );
  return {
    data(bytes) {
      if (hasFailed) return;
      try {
        read(bytes);
      } catch (error) {
        fail(error);
      }
    },
    close() {
      for (const stream of [...streams.values()]) close(stream);
      onClose();
    },
  };
}
