import http2 from "node:http2";
import type { Socket } from "node:net";

/**
 * Header fields over 64 KB. The HTTP/2 server of the runtime in the single executable closes the stream instead of sending
 * such a field, which contains the state after a failed create for Pulumi's engine. This module encodes a response with
 * such a field and writes it to the socket.
 */

/** Maximum length in bytes of a field that the runtime encodes, with some reserve for its overhead. */
const largest = 60_000;
/** Maximum payload in bytes of a frame that every peer accepts. */
const frameSize = 16_384;

const [headersFrame, continuationFrame] = [1, 9];
const [endStream, endHeaders] = [1, 4];

/** Returns an integer in HPACK encoding with a prefix of 7 bits (RFC 7541, 5.1). */
function integer(value: number): number[] {
  const most = 127;
  if (value < most) return [value];
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([Buffer.from(integer(bytes.length)), bytes]);
}

/** Returns a field without indexing: the runtime manages the table of the connection (RFC 7541, 6.2.2). */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0]), literal(name), literal(value)]);

type Fields = http2.OutgoingHttpHeaders;

const pairs = (headers: Fields): (readonly [name: string, value: string])[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name.toLowerCase(), String(one)] as const),
  );

/** Returns true for headers as a record, false for headers as a list of names and values. */
const isRecord = (headers: Fields | readonly string[] | undefined): headers is Fields =>
  headers !== undefined && !Array.isArray(headers);

const isPseudo = (name: string): boolean => name.startsWith(":");

/** Returns the frames of a response without a body. */
function responseFrames(stream: number, headers: Fields): Buffer {
  const fields = pairs({ ":status": 200, ...headers }).toSorted(
    ([a], [b]) => Number(isPseudo(b)) - Number(isPseudo(a)),
  );
  const block = Buffer.concat(fields.map(([name, value]) => field(name, value)));
  const frames: Buffer[] = [];
  for (let at = 0; at < block.length; at += frameSize) {
    const payload = block.subarray(at, at + frameSize);
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = at === 0 ? headersFrame : continuationFrame;
    head[4] = (at === 0 ? endStream : 0) | (at + frameSize >= block.length ? endHeaders : 0);
    head.writeUInt32BE(stream, 5);
    frames.push(head, payload);
  }
  return Buffer.concat(frames);
}

/** Makes servers that are created after this call send responses without a body that have such a field. */
export function sendLargeFields(): void {
  const { createServer } = http2;
  http2.createServer = ((...args: Parameters<typeof createServer>) => {
    const server = createServer(...args);
    /** Open sockets by the port of their peer: Node does not allow writes to the sockets of sessions. */
    const sockets = new Map<number | undefined, Socket>();
    server.on("connection", (socket: Socket) => {
      const { remotePort } = socket;
      sockets.set(remotePort, socket);
      socket.once("close", () => sockets.delete(remotePort));
    });
    server.prependListener("stream", (stream: http2.ServerHttp2Stream) => {
      const respond = stream.respond.bind(stream);
      stream.respond = (headers, options) => {
        if (!isRecord(headers)) return respond(headers, options);
        const isLarge = pairs(headers).some(([name, value]) => name.length + value.length > largest);
        const socket = sockets.get(stream.session?.socket.remotePort);
        if (!isLarge || options?.endStream !== true || stream.id === undefined || socket === undefined)
          return respond(headers, options);
        socket.write(responseFrames(stream.id, headers));
        stream.close(http2.constants.NGHTTP2_NO_ERROR);
      };
    });
    return server;
  }) as typeof createServer;
}
