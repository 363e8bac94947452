/** Severity of a log line. */
export type Level = "debug" | "info" | "warn" | "error";

/** Writes a line to the log. `message` is a constant text; `facts` must not contain a secret. */
export type Log = (level: Level, message: string, facts?: Readonly<Record<string, string | number>>) => void;
