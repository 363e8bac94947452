import { type ClientHttp2Session, connect } from "node:http2";
import proto from "@pulumi/pulumi/proto/engine_pb.js";
import { inWordsOf, type Text } from "../core/wording.ts";

export type Severity = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** Log of the Pulumi engine that started this process. */
export interface EngineLog {
  /**
   * Shows a message in the row of the resource with that URN, or of the stack if `urn` is empty. The next message
   * replaces an ephemeral one. Resolves when the engine has received the message or is not reachable.
   */
  write(severity: Severity, message: Text, urn?: string, ephemeral?: boolean): Promise<void>;
}

/** Log without an engine: drops every message. */
export const noEngineLog: EngineLog = { write: async () => {} };

/**
 * Returns the log of the engine at `127.0.0.1:port`, or `noEngineLog` if the text is not an address. The log sends one
 * unary gRPC call per message on an HTTP/2 stream, since the dynamic bundle does not contain the gRPC library, and ignores
 * connection errors: a lost message must not fail an operation.
 */
export function connectEngineLog(address: string): EngineLog {
  if (!/^[\w.:[\]-]+:\d+$/.test(address)) return noEngineLog;
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
    write: (severity, message, urn = "", ephemeral = false) =>
      new Promise((resolve) => {
        const request = new proto.LogRequest()
          .setSeverity(proto.LogSeverity[severity])
          .setMessage(inWordsOf("pulumi", message))
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
        stream.end(frameMessage(request.serializeBinary()));
      }),
  };
}

/** Frames a message for gRPC: one byte for "not compressed", the length in four bytes, the message. */
function frameMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
