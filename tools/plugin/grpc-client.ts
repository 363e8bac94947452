import * as http2 from "node:http2";
import type { Socket } from "node:net";
import { frame } from "../../provider/grpc/grpc.ts";

/** Result of a call: status, message and the bytes of each response message. */
export interface Reply {
  readonly status: number;
  readonly message: string;
  /** Details of an error in base64. */
  readonly details: string | undefined;
  readonly messages: Buffer[];
}

export interface Client {
  /** Sends these DATA frames to a path, and resolves with the response; rejects if there is no gRPC status. */
  send(path: string, frames: readonly Uint8Array[], signal?: AbortSignal): Promise<Reply>;
  close(): Promise<void>;
}

/** Splits a body into its length-prefixed messages. */
function messagesIn(body: Buffer): Buffer[] {
  if (body.length === 0) return [];
  const end = 5 + body.readUInt32BE(1);
  return [body.subarray(5, end), ...messagesIn(body.subarray(end))];
}

export async function connect(
  address: string | URL,
  options: http2.SecureClientSessionOptions,
): Promise<Client> {
  const session = http2.connect(address, { ...options, settings: { initialWindowSize: 16 * 1024 * 1024 } });
  const socket = await new Promise<Socket>((resolve, reject) => {
    session.once("connect", (_, connected) => resolve(connected));
    session.once("error", reject);
  });
  session.setLocalWindowSize(64 * 1024 * 1024);
  return {
    async close() {
      if (!session.destroyed) await new Promise<void>((resolve) => session.close(resolve));
      // The socket of a session that the server rejected is still open.
      socket.destroy();
    },
    send: (path, frames, signal) =>
      new Promise((resolve, reject) => {
        const stream = session.request(
          { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" },
          signal ? { signal } : {},
        );
        const parts: Buffer[] = [];
        let ended: http2.IncomingHttpHeaders = {};
        stream.on("response", (headers) => {
          ended = { ...ended, ...headers };
        });
        stream.on("trailers", (headers) => {
          ended = { ...ended, ...headers };
        });
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.once("error", reject);
        stream.once("close", () => {
          if (ended["grpc-status"] === undefined) return reject(new Error("the connection closed"));
          resolve({
            status: Number(ended["grpc-status"]),
            message: decodeURIComponent(String(ended["grpc-message"] ?? "")),
            details: ended["grpc-status-details-bin"]?.toString(),
            messages: messagesIn(Buffer.concat(parts)),
          });
        });
        for (const part of frames) stream.write(part);
        stream.end();
      }),
  };
}

/** Sends a unary call with a codec pair and returns the response message; throws if the call fails or returns none. */
export async function ask<Q, A>(
  client: Client,
  path: string,
  codec: { request: { encode(q: Q): { finish(): Uint8Array } }; response: { decode(bytes: Uint8Array): A } },
  request: Q,
): Promise<A> {
  const { status, message, messages } = await client.send(path, [
    frame(codec.request.encode(request).finish()),
  ]);
  const [only] = messages;
  if (status !== 0 || only === undefined) throw new Error(`${path}: ${status} ${message}`);
  return codec.response.decode(only);
}
