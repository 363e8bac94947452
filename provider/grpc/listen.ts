import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import type { ConnectionServer } from "./http2/http2.ts";
import type { Connection } from "./http2/stream.ts";

/** Servers that accept connections. `listen-bun.ts` replaces this module in the executable. */

/** Address of a server: the path of a Unix socket, or a port; 0 for any free port. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** Serves a new connection. Returns the receiver of its events. */
export type Accept = (connection: Connection) => ConnectionServer;

/** Server that accepts connections. */
export interface Listener {
  /** Port; undefined for a Unix socket. */
  readonly port: number | undefined;
  /** Accepts no further connections. */
  close(): void;
}

/** Output up to this size in bytes is copied into one buffer and written at once. */
const copied = 64 * 1024;

/** Passes a connection and its events to the server. */
export function serveSocket(socket: Socket, accept: Accept): void {
  const { data, close } = accept({
    write(frames) {
      if (!socket.writable) return;
      const size = frames.reduce((sum, { length }) => sum + length, 0);
      if (size <= copied) socket.write(Buffer.concat(frames, size));
      else {
        socket.cork();
        for (const frame of frames) socket.write(frame);
        socket.uncork();
      }
    },
    end: () => socket.destroySoon(),
  });
  socket.on("data", data);
  // An error of the socket closes it, and the streams of a closed connection are closed.
  socket.on("error", () => {});
  socket.once("close", close);
}

/** Makes a server listen. */
export function listenWith(server: Server, place: Place): Promise<Listener> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      server.off("error", reject);
      const address = server.address();
      resolve({
        port: typeof address === "object" ? address?.port : undefined,
        close: () => void server.close(),
      });
    });
  });
}

/** Listens without encryption. */
export const listen = (place: Place, accept: Accept): Promise<Listener> =>
  listenWith(
    createPlainServer({ noDelay: true }, (socket) => serveSocket(socket, accept)),
    place,
  );
