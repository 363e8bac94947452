import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "../../grpc/listen.ts";

/** Place of a server that only this user can reach. */
export interface OwnPlace {
  readonly place: Place;
  /** Deletes the socket file. */
  remove(): void;
}

/** Maximum length in characters of a socket path on all systems. */
const longestPath = 100;

/** Returns a path in a new folder that only this user can access; on Windows, a loopback port. */
export function ownPlace(base: string | undefined): OwnPlace {
  if (process.platform === "win32") return { place: { host: "127.0.0.1", port: 0 }, remove: () => {} };
  process.umask(0o077);
  const prefix = join(base ?? tmpdir(), "kcloud-");
  const folder = mkdtempSync(prefix.length + "XXXXXX/plugin".length <= longestPath ? prefix : "/tmp/kcloud-");
  return {
    place: { path: join(folder, "plugin") },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
