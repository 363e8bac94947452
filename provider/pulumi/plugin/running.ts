import { status } from "@grpc/grpc-js";
import type { Call, Session } from "../../engine/engine.ts";
import type { Ports } from "../../platform/ports.ts";
import { type Host, noHost, type Severity } from "../host.ts";
import { StatusError } from "./error.ts";

/** The plugin between its start and its end: who listens, what is configured, whether to stop. */
export interface Running {
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  host: Host;
  session: Session | undefined;
  /** Aborted by Cancel; a new one comes with each Configure, since a plugin under a debugger outlives a run. */
  stop: AbortController;
  /** Words on their way, which an answer must not overtake. */
  readonly said: Set<Promise<void>>;
}

export const startRunning = (ports: Ports, environment: NodeJS.ProcessEnv): Running => ({
  ports,
  environment,
  host: noHost,
  session: undefined,
  stop: new AbortController(),
  said: new Set(),
});

/** Says something that stays on the screen. */
export function say({ host, said }: Running, severity: Severity, message: string, urn?: string): void {
  const sent = host.log(severity, message, urn).finally(() => said.delete(sent));
  said.add(sent);
}

/** The session to work in. Preview of a stack whose provider is not known yet never asks for it. */
export function sessionOf({ session }: Running): Session {
  if (session === undefined)
    throw new StatusError(status.FAILED_PRECONDITION, "The provider is not configured");
  return session;
}

/**
 * Runs one operation of the core. `seconds` is the user's custom timeout; 0 is none. What it reports stands in the
 * resource's row while it lasts.
 */
export async function operate<T>(
  running: Running,
  urn: string,
  seconds: number,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  let reported = false;
  try {
    return await work({
      stop: running.stop.signal,
      timeout: seconds > 0 ? seconds : undefined,
      report: (words) => {
        reported = true;
        void running.host.log("INFO", words, urn, true);
      },
      warn: ({ summary, detail }) => say(running, "WARNING", `${summary}\n${detail}`, urn),
    });
  } finally {
    if (reported) await running.host.log("INFO", "", urn, true);
  }
}
