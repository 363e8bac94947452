import type { Given } from "../../config/config.ts";
import type { Text } from "../../core/wording.ts";
import { type Call, graceMs, type Session } from "../../engine/engine.ts";
import { GrpcError, status } from "../../grpc/grpc.ts";
import type { Ports } from "../../platform/ports.ts";
import { type EngineLog, noEngineLog, type Severity } from "../log.ts";
import { warningText } from "../text.ts";

/** State of the plugin process, shared by all calls. */
export interface PluginContext {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  /** True if the user started the plugin for debugging: the engine of each run attaches to it. */
  readonly debugged: boolean;
  engineLog: EngineLog;
  /** Set by Configure. */
  session: Session | undefined;
  /** Settings of the session, as received from the engine. */
  configuration: Given | undefined;
  /** Aborted by Cancel. Configure sets a new one, since a plugin that an engine attached to serves several runs. */
  stop: AbortController;
  /** Region of each object that Diff got, by URN: the create of a replacement keeps it, and does not get the object. */
  readonly replacedRegions: Map<string, string>;
  /**
   * Last call by URN that says what the next Check or Diff belongs to. A Check after the read of an import gets the inputs that
   * the read returned. A Diff after a Read is that of a refresh, and one without a Check compares a dependent of an object to be
   * replaced; neither decides that the program keeps the object.
   */
  readonly lastCalls: Map<string, "check" | "read" | "import">;
  /** Log messages in flight, which are awaited before a response. */
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
  replacedRegions: new Map(),
  lastCalls: new Map(),
  pendingLogs: new Set(),
});

/** Sends a message that stays visible after the run. */
export function log(
  { engineLog, pendingLogs }: PluginContext,
  severity: Severity,
  message: Text,
  urn?: string,
): void {
  const sent = engineLog.write(severity, message, urn).finally(() => pendingLogs.delete(sent));
  pendingLogs.add(sent);
}

/** Returns the session. Throws `GrpcError` if there is none; engines call nothing that needs it with unknown settings. */
export function sessionOf({ session }: PluginContext): Session {
  if (session === undefined) throw new GrpcError(status.failedPrecondition, "The provider is not configured");
  return session;
}

/**
 * Runs one operation of the engine. `seconds` is the custom timeout of the program, 0 for none. Shows the progress of the
 * operation in the row of the resource and clears it at the end.
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
      warn: (warning) => log(context, "WARNING", warningText(warning), urn),
    });
  } finally {
    if (reported) await context.engineLog.write("INFO", "", urn, true);
  }
}
