/** Frames of HTTP/2 (RFC 9113, sections 4 and 6). */

/** Types of frames. */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. Those of SETTINGS and PING that acknowledge have the bit of `endStream`. */
export const flag = { endStream: 1, acknowledge: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

/** Error codes. */
export const errorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

/** Identifiers of settings. */
export const setting = { enablePush: 2, initialWindowSize: 4, maxFrameSize: 5 } as const;

/** Maximum payload in bytes of a frame that every endpoint accepts, and the only one that this server accepts. */
export const frameSize = 16_384;

/** Maximum payload in bytes that an endpoint can accept. */
export const largestFrameSize = 2 ** 24 - 1;

/** Window of a stream and of a connection in bytes, until settings or updates change it. */
export const defaultWindow = 65_535;

/** Maximum of a window in bytes. */
export const largestWindow = 2 ** 31 - 1;

/** Bytes at the start of a connection by which a client chooses HTTP/2. */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** Length in bytes of the head of a frame. */
const headLength = 9;

/** A received frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** Id of the stream; 0 for the connection. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** Error that ends the connection with a code. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns a function that receives the bytes of a connection and passes each complete frame to `onFrame`. Throws
 * `ConnectionError` for bytes that are not HTTP/2 and for frames that are too large.
 */
export function createFrameReader(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  let rest: Buffer | undefined;
  let isOpen = false;
  return (bytes) => {
    const received = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
    let offset = 0;
    if (!isOpen) {
      const length = Math.min(received.length, preface.length);
      if (received.compare(preface, 0, length, 0, length) !== 0)
        throw new ConnectionError(
          errorCode.protocol,
          "the connection does not start with the HTTP/2 preface",
        );
      isOpen = length === preface.length;
      offset = isOpen ? length : 0;
    }
    while (isOpen && received.length - offset >= headLength) {
      const length = received.readUIntBE(offset, 3);
      if (length > frameSize) throw new ConnectionError(errorCode.frameSize, "a frame is too large");
      const end = offset + headLength + length;
      if (received.length < end) break;
      const payload = received.subarray(offset + headLength, end);
      const stream = received.readUInt32BE(offset + 5) & largestWindow;
      onFrame({ type: received[offset + 3] ?? 0, flags: received[offset + 4] ?? 0, stream, payload });
      offset = end;
    }
    rest = offset === received.length ? undefined : received.subarray(offset);
  };
}

/** Encodes the head of a frame. */
export function frameHead(type: number, flags: number, stream: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(headLength);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** Encodes RST_STREAM with an error code, or WINDOW_UPDATE with an increment. */
export function numberFrame(
  type: typeof frameType.resetStream | typeof frameType.windowUpdate,
  stream: number,
  number: number,
): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(number);
  return Buffer.concat([frameHead(type, 0, stream, payload.length), payload]);
}

/** Encodes GOAWAY. Clients show the message in their errors. */
export function goAwayFrame(lastStream: number, code: number, message: string): Buffer {
  const numbers = Buffer.allocUnsafe(8);
  numbers.writeUInt32BE(lastStream);
  numbers.writeUInt32BE(code, 4);
  const debugData = Buffer.from(message);
  const head = frameHead(frameType.goAway, 0, 0, numbers.length + debugData.length);
  return Buffer.concat([head, numbers, debugData]);
}

/** Encodes SETTINGS with these identifiers and values. */
export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return Buffer.concat([frameHead(frameType.settings, 0, 0, payload.length), payload]);
}

/** Encodes a header block as HEADERS, followed by CONTINUATION as far as one frame does not hold it. */
export function headersFrames(stream: number, block: Buffer, isEnd: boolean): Buffer[] {
  const frames: Buffer[] = [];
  for (let offset = 0; offset === 0 || offset < block.length; offset += frameSize) {
    const part = block.subarray(offset, offset + frameSize);
    const flags =
      (offset === 0 && isEnd ? flag.endStream : 0) |
      (offset + frameSize >= block.length ? flag.endHeaders : 0);
    const type = offset === 0 ? frameType.headers : frameType.continuation;
    frames.push(frameHead(type, flags, stream, part.length), part);
  }
  return frames;
}

/** Returns the content of a DATA or HEADERS frame without its padding and its priority. */
export function unpadded({ type, flags, payload }: Frame): Buffer {
  const isPadded = (flags & flag.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? payload.length) : 0;
  const start = (isPadded ? 1 : 0) + (type === frameType.headers && (flags & flag.priority) !== 0 ? 5 : 0);
  if (start + padding > payload.length)
    throw new ConnectionError(errorCode.protocol, "a frame has more padding than content");
  return payload.subarray(start, payload.length - padding);
}
