import { createServer } from "node:tls";
import { type Certificate, clientCheck } from "./certificate.ts";
import type { GrpcOptions } from "./grpc.ts";
import { type Accept, type Listener, listenWith, type Place, serveSocket } from "./listen.ts";

/** Servers with mutual TLS. `secure-bun.ts` replaces this module in the executable. */

/** Options of a server with mutual TLS. */
export interface SecureOptions {
  readonly certificate: Pick<Certificate, "key" | "cert">;
  /** Certificate of the only client, in PEM form. */
  readonly client: string;
  readonly onError: GrpcOptions["onError"];
}

/**
 * Listens with mutual TLS, for the one client with the certificate `client`. This code compares the certificate itself,
 * since the authority would have to be `client`: Node parses its 150 root certificates before it adds any other authority.
 */
export function listenSecurely(
  place: Place,
  accept: Accept,
  { certificate, client, onError }: SecureOptions,
): Promise<Listener> {
  const check = clientCheck(client);
  const onFailure = (error: unknown) => onError("the TLS handshake", error);
  const server = createServer(
    {
      ...certificate,
      ca: [],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      ALPNProtocols: ["h2"],
      noDelay: true,
    },
    (socket) => {
      const error = check(socket.getPeerX509Certificate());
      if (error === undefined) return serveSocket(socket, accept);
      socket.destroy();
      onFailure(error);
    },
  ).on("tlsClientError", onFailure);
  return listenWith(server, place);
}
