import type { ConnectionServer } from "./http2/http2.ts";
import type { Accept, Listener, Place } from "./listen.ts";

/**
 * Servers that accept connections, with the API of Bun, the runtime of the executable: the modules `net` and `tls` take a
 * quarter of a start.
 */

/** Connection of Bun. */
interface BunSocket {
  /** Sends a part of the bytes; returns its length. */
  write(bytes: Uint8Array): number;
  end(): void;
  terminate(): void;
  setNoDelay(noDelay: boolean): boolean;
  getPeerX509Certificate(): { readonly raw: Buffer } | undefined;
}

/** Options of `Bun.listen` for TLS. */
interface BunTls {
  readonly key: string;
  readonly cert: string;
  readonly ca: readonly string[];
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
  /** Names of protocols, each preceded by its length in a byte. */
  readonly ALPNProtocols: string;
}

interface BunOptions {
  readonly tls?: BunTls;
  readonly socket: {
    open(socket: BunSocket): void;
    handshake?(socket: BunSocket, isSecure: boolean, error: Error | null): void;
    data(socket: BunSocket, bytes: Buffer): void;
    drain(socket: BunSocket): void;
    close(socket: BunSocket): void;
    error(socket: BunSocket, error: Error): void;
  };
}

declare const Bun: {
  listen(
    options: BunOptions & ({ readonly unix: string } | { readonly hostname: string; readonly port: number }),
  ): { readonly port?: number; stop(closeConnections?: boolean): void };
};

/** Connection of a client with the events of its socket. */
interface Client extends ConnectionServer {
  /** Sends output that the network has not accepted yet. */
  drain(): void;
}

function serveSocket(socket: BunSocket, accept: Accept): Client {
  const output: Uint8Array[] = [];
  let hasEnded = false;
  let isClosed = false;
  const drain = () => {
    for (let part = output[0]; part !== undefined; part = output[0]) {
      const sent = socket.write(part);
      if (sent < part.length) {
        output[0] = part.subarray(Math.max(sent, 0));
        return;
      }
      output.shift();
    }
    if (hasEnded) socket.end();
  };
  const { data, close } = accept({
    write(frames) {
      if (hasEnded || isClosed) return;
      const isIdle = output.length === 0;
      output.push(Buffer.concat(frames));
      if (isIdle) drain();
    },
    end() {
      hasEnded = true;
      if (output.length === 0 && !isClosed) socket.end();
    },
  });
  return {
    data,
    drain,
    close() {
      isClosed = true;
      output.length = 0;
      close();
    },
  };
}

/** Encryption of connections, and the check of their clients. */
interface Security {
  readonly options: BunTls;
  /** Returns an error for a client that must not be served. */
  readonly check: (socket: Pick<BunSocket, "getPeerX509Certificate">) => Error | undefined;
  /** Receives the error of a connection that is closed before it is served. */
  readonly onFailure: (error: unknown) => void;
}

/** Listens; with `security`, a connection is served once its handshake is done and the check has passed. */
export function listenOn(place: Place, accept: Accept, security?: Security): Listener {
  const clients = new Map<BunSocket, Client>();
  const serve = (socket: BunSocket) => void clients.set(socket, serveSocket(socket, accept));
  const server = Bun.listen({
    ...("path" in place ? { unix: place.path } : { hostname: place.host, port: place.port }),
    ...(security && { tls: security.options }),
    socket: {
      open(socket) {
        socket.setNoDelay(true);
        if (security === undefined) serve(socket);
      },
      handshake(socket, isSecure, failure) {
        if (security === undefined) return;
        const error = isSecure ? security.check(socket) : failure;
        if (isSecure && error === undefined) return serve(socket);
        socket.terminate();
        security.onFailure(error);
      },
      data: (socket, bytes) => clients.get(socket)?.data(bytes),
      drain: (socket) => clients.get(socket)?.drain(),
      close(socket) {
        clients.get(socket)?.close();
        clients.delete(socket);
      },
      // An error of the socket closes it.
      error: () => {},
    },
  });
  return { port: "path" in place ? undefined : server.port, close: () => server.stop() };
}

/** Listens without encryption. */
export const listen = async (place: Place, accept: Accept): Promise<Listener> => listenOn(place, accept);
