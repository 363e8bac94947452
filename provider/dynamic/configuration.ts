import { gathered, settingNames } from "../config/config.ts";
import { provider } from "../core/name.ts";
import { openSession, type Session } from "../engine/engine.ts";
import type { Log } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";

/** The stack's configuration, of which the settings of `kcloud:` are read. */
export type Read = (key: string) => string | undefined;

/**
 * Opens sessions by what is configured; the same settings give the same session, so that resources share one budget.
 * `opened` gets each.
 */
export function createSessions(
  ports: Ports,
  environment: NodeJS.ProcessEnv,
  log: Log,
  opened: (session: Session) => void = () => {},
) {
  const sessions = new Map<string, Session>();
  return (read: Read): Session => {
    const written = settingNames.map((name) => [name, read(`${provider}:${name}`)]);
    const given = gathered(Object.fromEntries(written), environment);
    const key = JSON.stringify(given);
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const session = openSession(given, ports, log, "pulumi dynamic");
    sessions.set(key, session);
    opened(session);
    return session;
  };
}
