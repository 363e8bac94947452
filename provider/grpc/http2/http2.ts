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
  largestFrameSize,
  largestWindow,
  numberFrame,
  setting,
  settingsFrame,
  unpadded,
} from "./frame.ts";
import { createFieldDecoder, type Fields, HeaderError } from "./hpack.ts";
import {
  type Connection,
  closeStream,
  createStreams,
  flush,
  type OpenStream,
  openStream,
  pump,
  pumpAll,
  type Receiver,
  resetStream,
  type Stream,
  type Streams,
  send,
} from "./stream.ts";

/**
 * Server side of an HTTP/2 connection (RFC 9113), as far as gRPC needs it: request bodies as they arrive, responses of
 * headers, data and trailers, flow control. Without push and priorities, which no client needs. docs/grpc-server.md has
 * the reasons, the figures and the limits.
 */

/**
 * Windows in bytes of a stream and of a connection, for requests. They are renewed when half of them is used, since a
 * receiver accepts data at once.
 */
const window = { stream: 16 * 1024 * 1024, connection: 64 * 1024 * 1024 };
/** Maximum size in bytes of a header block, and of its fields. */
const largestBlock = 1024 * 1024;

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

/** Header block that has not ended yet. */
interface OpenBlock {
  readonly stream: number;
  readonly isEnd: boolean;
  readonly parts: Buffer[];
}

/** Streams of a connection, and what it has received. */
interface Session extends Streams {
  readonly accept: ConnectionOptions["accept"];
  readonly decode: (block: Uint8Array) => Fields;
  /** Highest id of a stream that the client has opened. */
  lastStream: number;
  block: OpenBlock | undefined;
  /** Received bytes for which no window update was sent yet. */
  received: number;
}

/** Returns an open stream; undefined for a closed one, whose frames may still arrive. Clients open streams with odd IDs. */
function streamOf({ open, lastStream }: Session, { stream: id }: Frame): OpenStream | undefined {
  if (id % 2 === 0 || id > lastStream)
    throw new ConnectionError(errorCode.protocol, "a frame belongs to a stream that was not opened");
  return open.get(id);
}

function endRequest(stream: OpenStream): void {
  stream.isEnded = true;
  stream.receiver.end();
}

function onData(session: Session, frame: Frame) {
  const { length } = frame.payload;
  const stream = streamOf(session, frame);
  session.received += length;
  if (session.received >= window.connection / 2) {
    send(session, numberFrame(frameType.windowUpdate, 0, session.received));
    session.received = 0;
  }
  if (stream === undefined) return;
  if (stream.isEnded) return resetStream(session, stream, errorCode.streamClosed);
  stream.received += length;
  const content = unpadded(frame);
  if (content.length > 0) stream.receiver.data(content);
  if ((frame.flags & flag.endStream) !== 0) return endRequest(stream);
  if (stream.received < window.stream / 2) return;
  send(session, numberFrame(frameType.windowUpdate, stream.id, stream.received));
  stream.received = 0;
}

function onHeaders(session: Session, frame: Frame): void {
  const { flags, stream } = frame;
  if (stream % 2 === 0) throw new ConnectionError(errorCode.protocol, "invalid stream ID");
  onBlockPart(session, frame, {
    stream,
    isEnd: (flags & flag.endStream) !== 0,
    parts: [unpadded(frame)],
  });
}

function onContinuation(session: Session, frame: Frame): void {
  const { block } = session;
  if (block === undefined) throw new ConnectionError(errorCode.protocol, "CONTINUATION without HEADERS");
  block.parts.push(frame.payload);
  if (block.parts.length > largestBlock / frameSize)
    throw new ConnectionError(errorCode.enhanceYourCalm, "the header block is too large");
  onBlockPart(session, frame, block);
}

function onBlockPart(session: Session, { flags }: Frame, block: OpenBlock): void {
  const isComplete = (flags & flag.endHeaders) !== 0;
  session.block = isComplete ? undefined : block;
  if (isComplete) onBlock(session, block);
}

function onBlock(session: Session, { stream: id, isEnd, parts }: OpenBlock) {
  // A block is decoded even if its stream is closed: it changes the table of the connection.
  const fields = session.decode(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
  const known = session.open.get(id);
  if (known !== undefined) {
    if (!isEnd || known.isEnded)
      throw new ConnectionError(errorCode.protocol, "header fields within a request");
    return endRequest(known);
  }
  if (id <= session.lastStream) return;
  session.lastStream = id;
  const stream = openStream(session, id, fields, session.accept);
  if (isEnd) endRequest(stream);
}

function onSettings(session: Session, { flags, stream: id, payload }: Frame): void {
  if (id !== 0) throw new ConnectionError(errorCode.protocol, "SETTINGS of a stream");
  const isAcknowledged = (flags & flag.acknowledge) !== 0;
  if (isAcknowledged ? payload.length > 0 : payload.length % 6 !== 0)
    throw new ConnectionError(errorCode.frameSize, "SETTINGS of a wrong length");
  if (isAcknowledged) return;
  for (let offset = 0; offset < payload.length; offset += 6)
    onSetting(session, payload.readUInt16BE(offset), payload.readUInt32BE(offset + 2));
  send(session, frameHead(frameType.settings, flag.acknowledge, 0, 0));
  pumpAll(session);
}

/** Applies the initial window. Other settings concern what this server does not send, so that only their values are checked. */
function onSetting(session: Session, id: number, value: number) {
  if (id === setting.initialWindowSize) return changeInitialRoom(session, value);
  const isInvalid =
    (id === setting.enablePush && value > 1) ||
    (id === setting.maxFrameSize && (value < frameSize || value > largestFrameSize));
  if (isInvalid) throw new ConnectionError(errorCode.protocol, "a setting has an invalid value");
}

/** Changes the window of new streams, and by the same difference that of open ones. */
function changeInitialRoom(session: Session, size: number): void {
  const streams = [...session.open.values()];
  for (const stream of streams) stream.room += size - session.initialRoom;
  session.initialRoom = size;
  if (size > largestWindow || streams.some((stream) => stream.room > largestWindow))
    throw new ConnectionError(errorCode.flowControl, "the window of a stream is too large");
}

function onPing(session: Session, { flags, stream, payload }: Frame): void {
  if (stream !== 0) throw new ConnectionError(errorCode.protocol, "PING of a stream");
  if (payload.length !== 8) throw new ConnectionError(errorCode.frameSize, "PING of a wrong length");
  if ((flags & flag.acknowledge) === 0)
    send(session, frameHead(frameType.ping, flag.acknowledge, 0, payload.length), payload);
}

function onWindowUpdate(session: Session, frame: Frame) {
  if (frame.payload.length !== 4)
    throw new ConnectionError(errorCode.frameSize, "WINDOW_UPDATE of a wrong length");
  const added = frame.payload.readUInt32BE(0) & largestWindow;
  if (frame.stream === 0) {
    session.room += added;
    if (added === 0) throw new ConnectionError(errorCode.protocol, "WINDOW_UPDATE of zero");
    if (session.room > largestWindow)
      throw new ConnectionError(errorCode.flowControl, "the window of the connection is too large");
    return pumpAll(session);
  }
  const stream = streamOf(session, frame);
  if (stream === undefined) return;
  stream.room += added;
  if (added === 0) return resetStream(session, stream, errorCode.protocol);
  if (stream.room > largestWindow) return resetStream(session, stream, errorCode.flowControl);
  if (session.waiting.has(stream)) pump(session, stream);
}

function onResetStream(session: Session, frame: Frame): void {
  if (frame.payload.length !== 4)
    throw new ConnectionError(errorCode.frameSize, "RST_STREAM of a wrong length");
  const stream = streamOf(session, frame);
  if (stream !== undefined) closeStream(session, stream);
}

function onPriority({ payload }: Frame): void {
  if (payload.length !== 5) throw new ConnectionError(errorCode.frameSize, "PRIORITY of a wrong length");
}

function onGoAway({ stream, payload }: Frame): void {
  if (stream !== 0) throw new ConnectionError(errorCode.protocol, "GOAWAY of a stream");
  if (payload.length < 8) throw new ConnectionError(errorCode.frameSize, "GOAWAY of a wrong length");
}

function onFrame(session: Session, frame: Frame) {
  const { block } = session;
  if (block !== undefined && (frame.type !== frameType.continuation || frame.stream !== block.stream))
    throw new ConnectionError(errorCode.protocol, "a header block is interrupted");
  switch (frame.type) {
    case frameType.data:
      return onData(session, frame);
    case frameType.headers:
      return onHeaders(session, frame);
    case frameType.priority:
      return onPriority(frame);
    case frameType.resetStream:
      return onResetStream(session, frame);
    case frameType.settings:
      return onSettings(session, frame);
    case frameType.pushPromise:
      throw new ConnectionError(errorCode.protocol, "a client cannot push");
    case frameType.ping:
      return onPing(session, frame);
    case frameType.goAway:
      return onGoAway(frame);
    case frameType.windowUpdate:
      return onWindowUpdate(session, frame);
    case frameType.continuation:
      return onContinuation(session, frame);
    // Other types are ignored, as the protocol asks.
  }
}

/** Ends a connection after an error. */
function fail(session: Session, error: unknown, onError: ConnectionOptions["onError"]): void {
  if (error instanceof ConnectionError)
    send(session, goAwayFrame(session.lastStream, error.code, error.message));
  else if (error instanceof HeaderError)
    send(session, goAwayFrame(session.lastStream, errorCode.compression, error.message));
  else {
    onError(error);
    send(session, goAwayFrame(session.lastStream, errorCode.internal, ""));
  }
  flush(session);
  session.connection.end();
}

/** Serves a connection. Returns the receiver of its events. */
export function serveConnection(
  connection: Connection,
  { accept, onClose, onError }: ConnectionOptions,
): ConnectionServer {
  const session: Session = {
    ...createStreams(connection),
    accept,
    decode: createFieldDecoder(largestBlock),
    lastStream: 0,
    block: undefined,
    received: 0,
  };
  let hasFailed = false;
  const read = createFrameReader((frame) => onFrame(session, frame));
  send(
    session,
    settingsFrame([[setting.initialWindowSize, window.stream]]),
    numberFrame(frameType.windowUpdate, 0, window.connection - defaultWindow),
  );
  return {
    data(bytes) {
      if (hasFailed) return;
      try {
        read(bytes);
      } catch (error) {
        hasFailed = true;
        fail(session, error, onError);
      }
    },
    close() {
      for (const stream of [...session.open.values()]) closeStream(session, stream);
      onClose();
    },
  };
}
