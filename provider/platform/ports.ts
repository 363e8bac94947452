/**
 * The doors to the outside: time, network, chance. Nothing else in `provider/`, `resources/` and `functions/`
 * touches the real ones (test/rails.test.ts), so that a simulation can run all of it on a clock of its own.
 */

/** Time as the core sees it. */
export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number;
  /** Milliseconds since 1970, for what is printed. */
  wall(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Bytes of which there may be many; they are read as they leave, each time anew. */
export interface ByteStream {
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Takes bytes as they come; the next ones come when it is done with these. */
export type Receive = (part: Uint8Array) => void | Promise<void>;

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Absolute; its path and query already encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body of which there may be much, in the place of the other. */
  readonly stream?: ByteStream;
  /** Takes the body of a 2xx answer as it comes. What it was given is not in the reply. */
  readonly receive?: Receive;
  /** Certificates (PEM) that are trusted beside the usual ones. */
  readonly certificates?: string;
}

/** What came of sending it, and nothing about what it means (docs/reliability.md#3.1 is decided in `outcome.ts`). */
export type Reply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Whether the body ended before its time. */
      readonly cut: boolean;
    }
  /** It surely never left: no name, no connection, no trust. */
  | { readonly kind: "unsent"; readonly reason: string }
  /** It may have arrived; no answer did. */
  | { readonly kind: "lost"; readonly reason: string };

/** The network as the core sees it. */
export interface Transport {
  /** Sends once; never repeats, never follows a redirect. Rejects only with the signal's reason. */
  send(request: WireRequest, signal: AbortSignal): Promise<Reply>;
}

/** Chance as the core sees it. */
export interface Random {
  /** At least 0, less than 1; for jitter only. */
  next(): number;
}

/** How a program ended. */
export interface Ended {
  /** Its exit status, or the signal that ended it. */
  readonly status: number | string;
  /** The first of what it wrote to standard output, at most 4 KiB. */
  readonly output: string;
}

/**
 * Runs a line of the user's shell with these variables beside the environment's, and nothing to read. Rejects only
 * with the signal's reason.
 */
export type Command = (
  line: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Ended>;

/** All doors to the outside. */
export interface Ports {
  readonly clock: Clock;
  readonly transport: Transport;
  /** The way to hosts that are not the cloud's API: nothing is shared with the way there. */
  readonly foreign: Transport;
  readonly random: Random;
  readonly command: Command;
  /** What is to be done before the process ends, where somebody does it. */
  readonly ends?: Set<() => Promise<void>>;
}
