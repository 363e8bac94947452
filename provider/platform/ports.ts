/**
 * Ports to the environment: time, network, random numbers and commands. Outside `provider/platform/`, no code of
 * `provider/`, `resources/` and `functions/` uses the real clock, network or random numbers
 * (test/repository/rules.test.ts), so that a simulation can run all of this code with a simulated clock.
 */

/** Clock and timers. */
export interface Clock {
  /** Returns the milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** Returns the milliseconds since 1970, for timestamps and for comparison with times in responses. */
  wall(): number;
  /** Resolves after `ms`; rejects with the signal's reason when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Stream of bytes with a known size. Each call of `read` starts at the first byte. */
export interface ByteStream {
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Receives a part of a body. The next part is delivered when the returned promise is resolved. */
export type Receive = (part: Uint8Array) => void | Promise<void>;

/** HTTP request in its final form. */
export interface WireRequest {
  readonly method: string;
  /** Absolute URL, with path and query already encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Body of any size, instead of `body`. */
  readonly stream?: ByteStream;
  /** Receives the body of a 2xx response in parts; the body of the reply is then empty. */
  readonly receive?: Receive;
  /** Certificates (PEM) trusted in addition to the default ones. */
  readonly certificates?: string;
}

/**
 * Uninterpreted result of a request: `classifyResponse` in `client/response.ts` converts it to an outcome
 * (docs/reliability.md#3.1).
 */
export type Reply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** True if the body ended prematurely. */
      readonly cut: boolean;
    }
  /**
   * The request was certainly not sent: no connection took it, for example because the name lookup, the connection, the TLS
   * handshake or the verification of the certificate failed, or because the signal aborted before.
   */
  | { readonly kind: "unsent"; readonly reason: string }
  /** The request may have arrived, but no response did. */
  | { readonly kind: "lost"; readonly reason: string };

/** HTTP transport. */
export interface Transport {
  /**
   * Sends the request once; never repeats it and never follows a redirect. Rejects only with the signal's reason, and only
   * if the request may have been sent: a request that no connection has taken when the signal aborts is `unsent`.
   */
  send(request: WireRequest, signal: AbortSignal): Promise<Reply>;
}

/** Source of random numbers. */
export interface Random {
  /** Returns a number of at least 0 and less than 1; for jitter only. */
  next(): number;
}

/** Result of a command line. */
export interface Ended {
  /** Exit status, the name of the signal that ended the process, or the reason why there is neither. */
  readonly status: number | string;
  /** Start of the standard output, at most 4096 characters. */
  readonly output: string;
}

/**
 * Runs a command line in the user's shell with these variables in addition to the environment, and without standard
 * input. Rejects only with the signal's reason.
 */
export type Command = (
  line: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Ended>;

/** All ports of the provider. */
export interface Ports {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Transport to hosts other than the API; it shares nothing with `transport`. */
  readonly foreign: Transport;
  readonly random: Random;
  readonly command: Command;
  /** Functions to call before the process ends; undefined if the program calls none. */
  readonly ends?: Set<() => Promise<void>>;
}
