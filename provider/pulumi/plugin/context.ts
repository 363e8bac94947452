import type { Given } from "../../config/config.ts";
import { type Call, graceMs, type Session } from "../../engine/engine.ts";
import { GrpcError, status } from "../../platform/grpc.ts";
import type { Ports } from "../../platform/ports.ts";
import { type EngineLog, noEngineLog, type Severity } from "../log.ts";

/** State of the plugin process, shared by all calls. */
export interface PluginContext {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  /** True if the user started the plugin for debugging: an engine attaches to it for each run. */
  readonly debugged: boolean;
  engineLog: EngineLog;
  /** Set by Configure. */
  session: Session | undefined;
  /** Settings of the session, as the engine gave them. */
  configuration: Given | undefined;
  /** Aborted by Cancel. Configure sets a new one, since a plugin that an engine attached to serves several runs. */
  stop: AbortController;
  /** Log messages that were sent and not yet received; a response waits for them. */
  readonly pendingLogs: Set<Promise<void>>;
}

export const createContext = (
  ports: Ports,
  environment: NodeJS.ProcessEnv,
  debugged: boolean,
): PluginContext => ({
  ports,
  environment,
  debugged,
  engineLog: noEngineLog,
  session: undefined,
  configuration: undefined,
  stop: new AbortController(),
  pendingLogs: new Set(),
});

/** Sends a message that stays visible after the run. */
export function log(
  { engineLog, pendingLogs }: PluginContext,
  severity: Severity,
  message: string,
  urn?: string,
): void {
  const sent = engineLog.write(severity, message, urn).finally(() => pendingLogs.delete(sent));
  pendingLogs.add(sent);
}

/** Returns the configured session. The engine makes no call that needs it while the provider's inputs are unknown. */
export function sessionOf({ session }: PluginContext): Session {
  if (session === undefined) throw new GrpcError(status.failedPrecondition, "The provider is not configured");
  return session;
}

/**
 * Runs one operation of the engine. `seconds` is the program's custom timeout, 0 for none. Shows the operation's
 * progress in the resource's row and clears it at the end.
 */
export async function runOperation<T>(
  context: PluginContext,
  urn: string,
  seconds: number,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  let reported = false;
  try {
    return await work({
      stop: context.stop.signal,
      graceMs: graceMs.pulumi,
      timeout: seconds > 0 ? seconds : undefined,
      facts: { urn },
      report: (message) => {
        reported = true;
        void context.engineLog.write("INFO", message, urn, true);
      },
      warn: ({ summary, detail }) => log(context, "WARNING", `${summary}\n${detail}`, urn),
    });
  } finally {
    if (reported) await context.engineLog.write("INFO", "", urn, true);
  }
}
