import type { Operations, Settings } from "./operation-type.ts";

/** Types of the client as a whole. */

/** Line of the log of a client. It contains no secret of the client. */
export interface LogLine {
  /** Level: `debug` for each request, `warn` for what a person should know. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Text of the line, such as `request`. */
  readonly message: string;
  /** Facts by name, such as `method`, `route`, `status`, `requestId` and `ms`. */
  readonly facts: { readonly [name: string]: string | number };
}

/**
 * Options of a client: settings, and its log. Settings that are missing come from the environment, such as `SERVICE_API_KEY`, and then from a
 * profile. A credential comes from one place as a whole.
 */
export interface ClientOptions extends Settings {
  /** Receives the lines of the log, at least one for each request. Default: no log. */
  readonly log?: ((line: LogLine) => void) | undefined;
}

/**
 * Client of the API: the operations by area, such as `client.volume.createVolume({ … })`, and its end. One client serves any number of calls at
 * once; they share its rate limit, its sign-in and its object session.
 *
 * A call throws `InputError` for invalid arguments, before anything is sent, and `CloudError` for a request that failed. `mayHaveBeenExecuted` says
 * whether the request may have changed something. A wait throws `FailedError`, and a delete without its one-time password `PasswordError`.
 */
export interface Client extends Operations {
  /** Ends the object session of the client, if it has one. Calls after it throw. */
  close(): Promise<void>;
  /** Calls `close`, for `await using client = createClient()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
