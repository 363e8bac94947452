import { gathered } from "../config.ts";
import { provider } from "../names.ts";
import type { Ports } from "../ports.ts";
import { type Log, openSession, type Session } from "../session.ts";
import { settingNames } from "../setting.ts";

/** The stack's configuration, of which the settings of `kcloud:` are read. */
export type Read = (key: string) => string | undefined;

/** Opens sessions by what is configured; the same settings give the same session, so that resources share one budget. */
export function createSessions(ports: Ports, environment: NodeJS.ProcessEnv, log: Log) {
  const sessions = new Map<string, Session>();
  return (read: Read): Session => {
    const written = settingNames.map((name) => [name, read(`${provider}:${name}`)]);
    const given = gathered(Object.fromEntries(written), environment);
    const key = JSON.stringify(given);
    const session = sessions.get(key) ?? openSession(given, ports, log, "pulumi dynamic");
    sessions.set(key, session);
    return session;
  };
}
