import { type ClientHttp2Session, connect } from "node:http2";
import proto from "@pulumi/pulumi/proto/engine_pb.js";

export type Severity = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** Where words go: the engine that started this process. */
export interface Host {
  /**
   * Says something to the user, in the row of the resource of that URN, or the stack's where it is empty. What is
   * ephemeral only stands in the row until the next word. Resolves when it has arrived, or cannot arrive.
   */
  log(severity: Severity, message: string, urn?: string, ephemeral?: boolean): Promise<void>;
}

export const noHost: Host = { log: async () => {} };

/**
 * The engine at `127.0.0.1:port`; nobody where the text is no address. One unary call on a bare stream: the gRPC library is too much for it, and is not
 * within reach of the dynamic face. A word that is lost harms nothing, so that failures are no errors.
 */
export function connectHost(address: string): Host {
  if (!/^[\w.:[\]-]+:\d+$/.test(address)) return noHost;
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    const opened = connect(`http://${address}`);
    opened.on("error", () => opened.destroy());
    opened.unref();
    session = opened;
    return opened;
  };
  return {
    log: (severity, message, urn = "", ephemeral = false) =>
      new Promise((resolve) => {
        const request = new proto.LogRequest()
          .setSeverity(proto.LogSeverity[severity])
          .setMessage(message)
          .setUrn(urn)
          .setEphemeral(ephemeral);
        const stream = open().request({
          ":method": "POST",
          ":path": "/pulumirpc.Engine/Log",
          "content-type": "application/grpc+proto",
          te: "trailers",
        });
        stream.on("error", () => resolve());
        stream.on("close", () => resolve());
        stream.resume();
        stream.end(frame(request.serializeBinary()));
      }),
  };
}

/** A message as gRPC sends it: not compressed, its length before it. */
function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
