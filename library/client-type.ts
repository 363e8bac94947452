import type { Operations, Settings } from "./operation-type.ts";

/** Types of the client as a whole. */

/** Line of the log of a client. No fact contains a secret. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly facts: { readonly [name: string]: string | number };
}

/** Options of a client. Settings that are missing come from the environment and from a profile, as for the provider. */
export interface ClientOptions extends Settings {
  /** Receives the lines of the log, one for each request. Default: none is written. */
  readonly log?: ((line: LogLine) => void) | undefined;
}

/** Client of the API: the operations by area, and its end. */
export interface Client extends Operations {
  /** Ends the object session of the client. Calls after it throw. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
