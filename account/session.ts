import type { Given } from "../provider/config/config.ts";
import { openSession, readOnly, type Session } from "../provider/engine/engine.ts";
import type { Ports } from "../provider/platform/ports.ts";

/**
 * Runs work in a session that sends only reads. The session of the object storage, which a listing of buckets may open, ends with
 * the work, also after an error.
 */
export async function inReadSession<T>(
  { given, ports, command }: { readonly given: Given; readonly ports: Ports; readonly command: string },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = readOnly(openSession(given, ports, undefined, command));
  try {
    return await work(session);
  } finally {
    await session.objectSession.end();
  }
}
