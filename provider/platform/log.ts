/** How much a line of the log matters. */
export type Level = "debug" | "info" | "warn" | "error";

/** Takes a line of the log: a fixed sentence, and facts that hold no secret. */
export type Log = (level: Level, message: string, facts?: Readonly<Record<string, string | number>>) => void;
