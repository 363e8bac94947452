import { gathered } from "../../config/config.ts";
import { type Given, settingNames } from "../../config/setting.ts";
import { checkSettings } from "../../config/setting-rule.ts";
import { InputError } from "../../core/error.ts";
import { hasUnknown, isRecord, type Values } from "../../core/value.ts";
import { type Log, openSession, type Session } from "../../engine/session.ts";
import type { Ports } from "../../platform/ports.ts";
import { diagnosed, RefusalError } from "../codec/diagnostic.ts";
import { providerShape } from "../codec/schema.ts";
import { decodeRecord } from "../codec/value.ts";
import type { Call } from "../transport/grpc.ts";
import type { Handlers } from "./handler.ts";

/** What the process runs in. */
export interface Surroundings {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** The provider's configuration: each connection's own, since a process that is attached to serves several. */
export interface Configuration {
  /** Undefined while the engine cannot tell all of the configuration yet. */
  session(call: Call): Session | undefined;
  readonly handlers: Pick<Handlers, "validateProviderConfig" | "configureProvider">;
}

/** The settings that are written and known. */
const knownOf = (values: Values): Given =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = values[name] ?? null;
      if (value === null || hasUnknown(value)) return [];
      return [[name, isRecord(value) ? JSON.stringify(value) : value]];
    }),
  );

export function createConfiguration({ ports, environment, log }: Surroundings): Configuration {
  const sessions = new WeakMap<object, Session | "unknown">();
  // An idle engine closes its connection and comes back over a new one, which has configured nothing.
  let latest: Session | "unknown" | undefined;
  return {
    session(call) {
      const session = sessions.get(call.connection) ?? latest;
      if (session === undefined)
        throw new RefusalError("The provider is not configured", "The engine has not configured it.");
      return session === "unknown" ? undefined : session;
    },
    handlers: {
      validateProviderConfig: ({ config }) =>
        diagnosed(providerShape, () => {
          const problems = checkSettings(knownOf(decodeRecord(config, providerShape) ?? {}));
          if (problems.length > 0) throw new InputError(problems);
          return {};
        }),
      configureProvider: ({ config, terraformVersion }, { connection }) =>
        diagnosed(providerShape, () => {
          const values = decodeRecord(config, providerShape) ?? {};
          latest = hasUnknown(values)
            ? "unknown"
            : openSession(gathered(knownOf(values), environment), ports, log, agentOf(terraformVersion));
          sessions.set(connection, latest);
          return {};
        }),
    },
  };
}

/** Engines of two makers speak this protocol, and none of them says which it is. */
const agentOf = (version: string | undefined): string =>
  version ? `terraform plugin; engine ${version}` : "terraform plugin";

/** For what cannot be done without the cloud. Throws while the configuration is not known. */
export function configured(session: Session | undefined): Session {
  if (session !== undefined) return session;
  throw new RefusalError(
    "The provider's own configuration is not known yet",
    "It depends on something that is not applied: apply that first, with -target, then run again.",
  );
}
