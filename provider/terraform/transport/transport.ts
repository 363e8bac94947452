import { makeCertificate } from "../../grpc/certificate.ts";
import { type GrpcOptions, type GrpcServer, grpcServer } from "../../grpc/grpc.ts";
import { type Listener, listen, type Place } from "../../grpc/listen.ts";
import { listenSecurely } from "../../grpc/secure.ts";
import { type Endpoint, handshakeLine, type PluginEnvironment, reattachText } from "./handshake.ts";
import { ownPlace } from "./own-place.ts";

/** Options of a plugin server. */
export interface PluginOptions extends GrpcOptions {
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

const endpointOf = (place: Place, { port }: Listener): Endpoint =>
  "path" in place
    ? { network: "unix", address: place.path }
    : { network: "tcp", address: `${place.host}:${port}` };

/** Starts a plugin server. Requires mutual TLS if the environment has a client certificate. */
export async function servePlugin({ environment, now, ...options }: PluginOptions): Promise<PluginServer> {
  const client = environment?.clientCertificate;
  const certificate = client === undefined ? undefined : makeCertificate(now);
  const server = grpcServer(options);
  const { place, remove } = ownPlace(environment?.socketFolder);
  const listener =
    client === undefined || certificate === undefined
      ? await listen(place, server.accept)
      : await listenSecurely(place, server.accept, {
          certificate: certificate,
          client,
          onError: options.onError,
        });
  const endpoint = endpointOf(place, listener);
  const announcement =
    environment === undefined
      ? reattachText(endpoint, process.pid)
      : handshakeLine(endpoint, certificate?.der);
  return { ...server, announcement, removeSocket: remove };
}
