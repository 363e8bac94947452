import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { frame } from "./http2-frame.ts";

/** Client of HTTP/2 that sends bytes as they are given and splits the responses into frames. */

/** A received frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Types of frames, their flags, and error codes. */
export const [data, headers, priority, reset, settings, push, ping, goAway, update, continuation] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
export const [endStream, acknowledge, endHeaders, padded, prioritized] = [1, 1, 4, 8, 32];
export const code = {
  none: 0,
  protocol: 1,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  compression: 9,
  calm: 11,
};

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Encodes a number in four bytes. */
export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export type Client = Awaited<ReturnType<typeof openClient>>;

/** Connects to a port, and begins with the preface and empty settings or with these bytes. */
export async function openClient(port: number, opening = Buffer.concat([preface, frame(settings, 0, 0)])) {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const frames: Frame[] = [];
  let rest = Buffer.alloc(0);
  let hasEnded = false;
  let wake = () => {};
  socket.on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const length = rest.length < 9 ? Number.POSITIVE_INFINITY : rest.readUIntBE(0, 3);
      if (rest.length < 9 + length) break;
      const payload = rest.subarray(9, 9 + length);
      frames.push({ type: rest[3] ?? 0, flags: rest[4] ?? 0, stream: rest.readUInt32BE(5), payload });
      rest = rest.subarray(9 + length);
    }
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    hasEnded = true;
    wake();
  });
  /** Resolves when the condition holds or the connection has ended. */
  const until = async (holds: () => boolean) => {
    while (!holds() && !hasEnded)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const send = (...parts: readonly Uint8Array[]) => socket.write(Buffer.concat(parts));
  send(opening);
  return {
    frames,
    send,
    socket,
    until,
    hasEnded: () => hasEnded,
    /** Resolves with the first frame of this type for the stream. */
    async frame(type: number, stream = 0): Promise<Frame | undefined> {
      const find = () => frames.find((one) => one.type === type && one.stream === stream);
      await until(() => find() !== undefined);
      return find();
    },
    /** Resolves with the data of a stream once the response has ended. */
    async response(stream: number): Promise<Buffer> {
      const received = () => frames.filter((one) => one.stream === stream);
      await until(() => received().some(({ type, flags }) => type === headers && (flags & endStream) !== 0));
      return Buffer.concat(received().flatMap(({ type, payload }) => (type === data ? payload : [])));
    },
    dataOf: (stream: number) =>
      Buffer.concat(frames.flatMap((one) => (one.stream === stream && one.type === data ? one.payload : []))),
    /** Resolves with the error code of the GOAWAY with which the server ended the connection. */
    async ended(): Promise<number | undefined> {
      await until(() => false);
      return frames.find(({ type }) => type === goAway)?.payload.readUInt32BE(4);
    },
  };
}
