import { type PreparedCall, withPassword } from "../../library/call.ts";
import { mayHaveChanged } from "../../library/error.ts";
import type { Client } from "../../provider/client/client.ts";
import { createApi } from "../../provider/client/client.ts";
import { CloudError } from "../../provider/core/error.ts";
import type { RequestTracker } from "../../provider/definition/api.ts";
import { onAbort } from "../../provider/platform/abort.ts";

/**
 * Requests that change something. Each call of a tool sends one: the client is read-only, and accepts that request of that operation, once. A
 * caller that leaves ends it before it is sent, and not afterwards.
 */

/** Time in ms for which the response of a request is awaited whose caller has left. */
export const graceMs = 10_000;

/** Response to a request, or its error and whether the request was sent. */
export type Sent = { readonly answer: unknown } | { readonly error: unknown; readonly isSent: boolean };

export interface Writer {
  /** Returns a call with the one-time password that it needs, if the settings have one. A command may take seconds to return it. */
  ready(prepared: PreparedCall, signal: AbortSignal): Promise<PreparedCall>;
  /** Sends a request once. `signal` prevents it. Writes the outcome to the log if the signal aborts after it was sent. */
  send(name: string, prepared: PreparedCall, signal: AbortSignal): Promise<Sent>;
  /** Waits for the responses to the requests that were sent. */
  settled(): Promise<void>;
}

export interface WriterOptions {
  /** Client that sends reads only. */
  readonly client: Client;
  log(line: string): void;
}

/** Creates the sender of the requests of a client. */
export function createWriter({ client, log }: WriterOptions): Writer {
  const { clock } = client.ports;
  const running = new Set<Promise<unknown>>();

  async function sendOnce(name: string, prepared: PreparedCall, signal: AbortSignal): Promise<Sent> {
    const { endpoint, region, request } = prepared;
    const target = [name, ...Object.values(request.path ?? {})].join(" ");
    const tracker: RequestTracker = { sent: false, searches: true };
    const inFlight = new AbortController();
    const done = new AbortController();
    const unlink = onAbort(signal, (reason) => {
      if (tracker.sent)
        log(
          `${target}: the caller left after the request was sent; its response is awaited for ${graceMs / 1000} s`,
        );
      clock.sleep(graceMs, done.signal).then(
        () => inFlight.abort(reason),
        () => {},
      );
    });
    try {
      signal.throwIfAborted();
      let isAccepted = false;
      const writing: Client = {
        ...client,
        isReadOnly: true,
        accepts(wanted, call) {
          if (isAccepted || wanted !== endpoint || call !== request) return false;
          isAccepted = true;
          return true;
        },
      };
      const api = createApi(writing, { region, signal, inFlight: inFlight.signal, tracker });
      const answer = await api.send(endpoint as never, request as never);
      if (signal.aborted) log(`${target}: the API has accepted the request of the caller that left`);
      return { answer };
    } catch (error) {
      const isSent = tracker.sent;
      const isUnclear = error instanceof CloudError ? mayHaveChanged(error, { endpoint }) : isSent;
      if (signal.aborted && tracker.asked)
        log(
          `${target}: the request of the caller that left ${isUnclear ? "may have been executed" : "changed nothing"}: ${error instanceof Error ? error.message : String(error)}`,
        );
      return { error, isSent };
    } finally {
      unlink();
      done.abort("done");
    }
  }

  return {
    async ready(prepared, signal) {
      return {
        ...prepared,
        request: await withPassword(client, prepared.endpoint, prepared.request, signal),
      };
    },
    send(name, prepared, signal) {
      const sent = sendOnce(name, prepared, signal);
      running.add(sent);
      return sent.finally(() => running.delete(sent));
    },
    async settled() {
      await Promise.allSettled([...running]);
    },
  };
}
