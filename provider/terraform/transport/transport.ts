import type { Server, Socket } from "node:net";
import { createServer } from "node:tls";
import { type GrpcOptions, type GrpcServer, grpcServer } from "../../platform/grpc.ts";
import { type Certificate, certificateBytes, makeCertificate } from "./certificate.ts";
import { handshakeLine, type PluginEnvironment, reattachText } from "./handshake.ts";
import { listen } from "./socket.ts";

export { makeCertificate } from "./certificate.ts";
export { readPluginEnvironment } from "./handshake.ts";

/** Options of a plugin server. */
export interface PluginOptions extends Omit<GrpcOptions, "createServer"> {
  /** Environment set by an engine; undefined for a process that a developer started and engines attach to. */
  readonly environment: PluginEnvironment | undefined;
  /** Current time in ms since 1970, for the certificate. */
  readonly now: number;
}

/** gRPC server that listens for one engine, or for all engines that attach to it. */
export interface PluginServer extends GrpcServer {
  /** Text for standard output with the address of the server, for the engine or the developer. */
  readonly announcement: string;
  /** Removes the socket. */
  removeSocket(): void;
}

/**
 * Returns a function that creates a server with mutual TLS, for the one client with the certificate `client`. This code
 * compares the certificate itself, since the authority would have to be `client`: Node parses its 150 root certificates
 * before it adds any other authority.
 */
export const secureServer = (
  { key, cert }: Pick<Certificate, "key" | "cert">,
  client: string,
  onError: GrpcOptions["onError"],
): GrpcOptions["createServer"] => {
  const expected = certificateBytes(client);
  const onFailure = (error: unknown) => onError("the TLS handshake", error);
  return (serve: (socket: Socket) => void): Server =>
    createServer(
      {
        key,
        cert,
        ca: [],
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: "TLSv1.2",
        ALPNProtocols: ["h2"],
        noDelay: true,
      },
      (socket) => {
        // The handshake proved that the client has the key of its certificate.
        if (socket.getPeerX509Certificate()?.raw.equals(expected)) return serve(socket);
        socket.destroy();
        onFailure(new Error("the certificate of the client is not that of the engine"));
      },
    ).on("tlsClientError", onFailure);
};

/** Starts a plugin server. Requires mutual TLS if the environment has a client certificate. */
export async function servePlugin({ environment, now, ...options }: PluginOptions): Promise<PluginServer> {
  const client = environment?.clientCertificate;
  const certificate = client === undefined ? undefined : makeCertificate(now);
  const secure = certificate && secureServer(certificate, client ?? "", options.onError);
  const server = grpcServer({ ...options, createServer: secure });
  const { endpoint, remove } = await listen(server.http, environment?.socketFolder);
  const announcement =
    environment === undefined
      ? reattachText(endpoint, process.pid)
      : handshakeLine(endpoint, certificate?.der);
  return { ...server, announcement, removeSocket: remove };
}
