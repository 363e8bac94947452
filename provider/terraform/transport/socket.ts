import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Endpoint } from "./handshake.ts";

/** Listening socket. */
export interface Socket {
  readonly endpoint: Endpoint;
  /** Deletes the socket file. */
  remove(): void;
}

/** Maximum length in characters of a socket path on all systems. */
const longestPath = 100;

/** Listens in a folder that only this user can access; on Windows, on a loopback port. */
export async function listen(server: Server, base: string | undefined): Promise<Socket> {
  if (process.platform === "win32") {
    const port = await listening(server, { host: "127.0.0.1", port: 0 });
    return { endpoint: { network: "tcp", address: `127.0.0.1:${port}` }, remove: () => {} };
  }
  process.umask(0o077);
  const prefix = join(base ?? tmpdir(), "kcloud-");
  const folder = mkdtempSync(prefix.length + "XXXXXX/plugin".length <= longestPath ? prefix : "/tmp/kcloud-");
  const path = join(folder, "plugin");
  await listening(server, { path });
  return {
    endpoint: { network: "unix", address: path },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function listening(
  server: Server,
  where: { path: string } | { host: string; port: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" ? address?.port : undefined);
    });
  });
}
