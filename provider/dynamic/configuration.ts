import { gatherSettings, settingNames } from "../config/config.ts";
import { provider } from "../core/name.ts";
import { openSession, type Session } from "../engine/engine.ts";
import type { Log } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";

/** Reads a key of the stack's configuration, such as `kcloud:region`. */
export type ReadSetting = (key: string) => string | undefined;

/**
 * Returns a function that opens the session for a stack's configuration. Equal settings share one session, so that
 * the handlers of all resources share one rate limit. Calls `opened` with each new session. The function throws
 * `ConfigError` for invalid settings.
 */
export function createSessionCache(
  ports: Ports,
  environment: NodeJS.ProcessEnv,
  log: Log,
  opened: (session: Session) => void = () => {},
) {
  const sessions = new Map<string, Session>();
  return (read: ReadSetting): Session => {
    const configured = settingNames.map((name) => [name, read(`${provider}:${name}`)]);
    const settings = gatherSettings(Object.fromEntries(configured), environment);
    const key = JSON.stringify(settings);
    const existing = sessions.get(key);
    if (existing !== undefined) return existing;
    const session = openSession(settings, ports, log, "pulumi dynamic");
    sessions.set(key, session);
    opened(session);
    return session;
  };
}
