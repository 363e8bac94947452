import {
  defaultWindow,
  errorCode,
  frameHead,
  frameSize,
  frameType,
  headersFrames,
  numberFrame,
} from "./frame.ts";
import type { Fields } from "./hpack.ts";

/** Streams of a connection: what the server sends on them, within the windows of the client. */

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

/** Connection of a client, as the server uses it. */
export interface Connection {
  /** Sends frames in this order, as soon as the network accepts them. Does nothing after the connection has closed. */
  write(frames: readonly Uint8Array[]): void;
  /** Closes the connection after all frames are sent. */
  end(): void;
}

/** Stream that neither side has ended. */
export interface OpenStream extends Stream {
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

/** Streams and output of a connection. */
export interface Streams {
  readonly connection: Connection;
  readonly open: Map<number, OpenStream>;
  /** Streams with data that waits for room. */
  readonly waiting: Set<OpenStream>;
  /** Bytes that the client still accepts on the connection. */
  room: number;
  /** Window of a new stream. */
  initialRoom: number;
  /** Frames that the current turn of the event loop sends. */
  output: Uint8Array[];
  /** Streams that end with these frames. */
  finished: OpenStream[];
}

/** Returns the streams of a new connection. */
export const createStreams = (connection: Connection): Streams => ({
  connection,
  open: new Map(),
  waiting: new Set(),
  room: defaultWindow,
  initialRoom: defaultWindow,
  output: [],
  finished: [],
});

/** Writes the frames of one turn of the event loop at once: each write costs a system call. */
export function flush(streams: Streams): void {
  const { output, finished } = streams;
  streams.output = [];
  streams.finished = [];
  if (output.length > 0) streams.connection.write(output);
  for (const { receiver } of finished) receiver.close();
}

export function send(streams: Streams, ...frames: readonly Uint8Array[]): void {
  if (streams.output.length === 0) setImmediate(flush, streams);
  streams.output.push(...frames);
}

/** Receiver of a stream until `accept` returns its own. */
const none: Receiver = { data() {}, end() {}, close() {} };

/** Opens a stream for a request. */
export function openStream(
  streams: Streams,
  id: number,
  headers: Fields,
  accept: (stream: Stream) => Receiver,
): OpenStream {
  const stream: OpenStream = {
    id,
    headers,
    receiver: none,
    isClosed: false,
    hasResponded: false,
    isEnded: false,
    received: 0,
    room: streams.initialRoom,
    queue: [],
    trailers: undefined,
    drained: undefined,
    respond(fields) {
      if (stream.isClosed) return;
      stream.hasResponded = true;
      send(streams, ...headersFrames(id, fields, false));
    },
    write(part) {
      if (stream.isClosed || part.length === 0) return undefined;
      stream.queue.push(part);
      pump(streams, stream);
      if (stream.queue.length === 0) return undefined;
      return new Promise((resolve) => {
        stream.drained = resolve;
      });
    },
    end(fields) {
      if (stream.isClosed || stream.trailers !== undefined) return;
      stream.trailers = fields;
      if (stream.queue.length === 0) pump(streams, stream);
    },
  };
  streams.open.set(id, stream);
  stream.receiver = accept(stream);
  return stream;
}

function forget(streams: Streams, stream: OpenStream): void {
  stream.isClosed = true;
  streams.open.delete(stream.id);
  streams.waiting.delete(stream);
  stream.queue.length = 0;
  stream.drained?.();
}

/** Forgets a stream that the client or the connection has ended. */
export function closeStream(streams: Streams, stream: OpenStream): void {
  if (stream.isClosed) return;
  forget(streams, stream);
  stream.receiver.close();
}

/** Ends a stream with an error code. */
export function resetStream(streams: Streams, stream: OpenStream, code: number): void {
  send(streams, numberFrame(frameType.resetStream, stream.id, code));
  closeStream(streams, stream);
}

/** Sends the data of a stream as far as the client has room, then the end of the response if it is known. */
export function pump(streams: Streams, stream: OpenStream): void {
  for (let part = stream.queue[0]; part !== undefined; part = stream.queue[0]) {
    const length = Math.min(part.length, frameSize, stream.room, streams.room);
    if (length <= 0) {
      streams.waiting.add(stream);
      return;
    }
    send(streams, frameHead(frameType.data, 0, stream.id, length), part.subarray(0, length));
    stream.room -= length;
    streams.room -= length;
    if (length === part.length) stream.queue.shift();
    else stream.queue[0] = part.subarray(length);
  }
  streams.waiting.delete(stream);
  stream.drained?.();
  if (stream.trailers === undefined) return;
  send(streams, ...headersFrames(stream.id, stream.trailers, true));
  // The rest of the request is not needed.
  if (!stream.isEnded) send(streams, numberFrame(frameType.resetStream, stream.id, errorCode.none));
  forget(streams, stream);
  streams.finished.push(stream);
}

/** Sends the data of all streams that wait for room. */
export function pumpAll(streams: Streams): void {
  for (const stream of [...streams.waiting]) if (streams.room > 0) pump(streams, stream);
}
