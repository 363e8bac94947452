import type { Ports } from "../provider/platform/ports.ts";
import type { Terminal } from "./terminal.ts";

/** Surroundings of a call, which tests replace. */
export interface World {
  readonly terminal: Terminal;
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  /** Content of standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Aborts at the first signal. */
  readonly stop: AbortSignal;
  /**
   * Sets the text on the outcome that an interruption shows, and whether it is unclear. Default: the operation changed nothing, which is
   * clear.
   */
  readonly setOutcome: (text: string, isUnclear?: boolean) => void;
}
