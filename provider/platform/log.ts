/** Severity of a log line. */
export type Level = "debug" | "info" | "warn" | "error";

/** Writes a line to the log. `message` is a constant text; `facts` must not contain a secret. */
export interface Log {
  (level: Level, message: string, facts?: Readonly<Record<string, string | number>>): void;
  /** Returns true if lines of a level are not written: the caller need not compute their facts. */
  readonly drops?: ((level: Level) => boolean) | undefined;
}
