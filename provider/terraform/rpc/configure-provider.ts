import { checkSettings, type Given, gatherSettings, settingNames } from "../../config/config.ts";
import { InputError } from "../../core/error.ts";
import { hasUnknown, isRecord, type Values } from "../../core/value.ts";
import { openSession, type Session } from "../../engine/engine.ts";
import type { GrpcCall } from "../../grpc/grpc.ts";
import type { Log } from "../../platform/log.ts";
import type { Ports } from "../../platform/ports.ts";
import { DiagnosticError, withDiagnostics } from "../codec/diagnostic.ts";
import { providerShape } from "../codec/schema.ts";
import { decodeRecord } from "../codec/value.ts";
import type { Handlers } from "./handler.ts";

/** Environment of the provider. */
export interface ProviderEnvironment {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Provider configuration per connection: several engines can attach to one process. */
export interface ProviderConfiguration {
  /** Returns the session of the connection of a call; undefined while parts of the configuration are unknown. */
  session(call: GrpcCall): Session | undefined;
  readonly handlers: Pick<Handlers, "validateProviderConfig" | "configureProvider">;
}

/** Returns the settings that have a known value. */
const knownSettings = (values: Values): Given =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = values[name] ?? null;
      if (value === null || hasUnknown(value)) return [];
      return [[name, isRecord(value) ? JSON.stringify(value) : value]];
    }),
  );

/** Creates the handlers that configure connections, and the access to their sessions. */
export function createProviderConfiguration({
  ports,
  environment,
  log,
}: ProviderEnvironment): ProviderConfiguration {
  const sessions = new WeakMap<object, Session | "unknown">();
  // An idle engine closes its connection and later uses a new one, which it does not configure again.
  let latest: Session | "unknown" | undefined;
  return {
    session(call) {
      const session = sessions.get(call.connection) ?? latest;
      if (session === undefined)
        throw new DiagnosticError("The provider is not configured", "The engine sent no configuration.");
      return session === "unknown" ? undefined : session;
    },
    handlers: {
      validateProviderConfig: ({ config }) =>
        withDiagnostics(providerShape, () => {
          const problems = checkSettings(knownSettings(decodeRecord(config, providerShape) ?? {}));
          if (problems.length > 0) throw new InputError(problems);
          return {};
        }),
      configureProvider: ({ config, terraformVersion }, { connection }) =>
        withDiagnostics(providerShape, () => {
          const values = decodeRecord(config, providerShape) ?? {};
          latest = hasUnknown(values)
            ? "unknown"
            : openSession(
                gatherSettings(knownSettings(values), environment),
                ports,
                log,
                userAgentOf(terraformVersion),
              );
          sessions.set(connection, latest);
          return {};
        }),
    },
  };
}

/** Returns the adapter for the user agent. Terraform and OpenTofu send a version, but no name. */
const userAgentOf = (version: string | undefined): string =>
  version ? `terraform plugin; engine ${version}` : "terraform plugin";

/** Returns the session. Throws `DiagnosticError` while the configuration of the provider is unknown. */
export function requireSession(session: Session | undefined): Session {
  if (session !== undefined) return session;
  throw new DiagnosticError(
    "The provider configuration is not known yet",
    "It depends on a value that is known only after an apply: run terraform apply -target=ADDRESS (or tofu apply -target=ADDRESS) for the resource that provides the value, then run again.",
  );
}
