import type { Command } from "./scene.ts";

/** Calls of one command and the state after it. */
export interface Recorded {
  /** Calls of each object, in their order, by its key (`keyOf`). */
  readonly calls: Readonly<Record<string, readonly string[]>>;
  /**
   * Ids in the state by part: `!` follows the id of a tainted object or one with init errors, `~` precedes one that is
   * replaced and not yet deleted, `-` one that was deleted and is not yet created again.
   */
  readonly end: Readonly<Record<string, string>>;
  /** True if the engine found a cycle in the order of its changes. */
  readonly cycle?: true;
  /** Output of the engine; it is not stored. */
  readonly output?: string;
}

/** Engine with one stack. */
export interface Recorder {
  run(command: Command): Promise<Recorded>;
  close(): Promise<void>;
}

/** Recording of the commands of one seed. */
export interface Recording {
  readonly seed: number;
  /** Digest of the drawn commands: a recording holds for the commands that it was made with. */
  readonly drawn: string;
  readonly commands: readonly StoredCommand[];
}

/** Recorded command as it is stored: the calls of an object are one text. */
export interface StoredCommand {
  readonly calls: Readonly<Record<string, string>>;
  readonly end: Readonly<Record<string, string>>;
  readonly cycle?: true;
}
