import { clientCheck } from "./certificate.ts";
import type { Accept, Listener, Place } from "./listen.ts";
import { listenOn } from "./listen-bun.ts";
import type { SecureOptions } from "./secure.ts";

/** Servers with mutual TLS, with the API of Bun (`listen-bun.ts`). */

/** Listens with mutual TLS, for the one client with the certificate `client`. */
export async function listenSecurely(
  place: Place,
  accept: Accept,
  { certificate: { key, cert }, client, onError }: SecureOptions,
): Promise<Listener> {
  const check = clientCheck(client);
  return listenOn(place, accept, {
    options: { key, cert, ca: [], requestCert: true, rejectUnauthorized: false, ALPNProtocols: "\x02h2" },
    check: (socket) => check(socket.getPeerX509Certificate()),
    onFailure: (error) => onError("the TLS handshake", error),
  });
}
