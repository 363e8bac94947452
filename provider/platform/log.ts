import { inWordsOf, type Text, type Words } from "../core/wording.ts";

/** Severity of a log line. */
export type Level = "debug" | "info" | "warn" | "error";

/** Facts of a log line. */
export type Facts = Readonly<Record<string, Text | number>>;

/** Writes a line to the log. Neither `message` nor `facts` may contain a secret. */
export interface Log {
  (level: Level, message: Text, facts?: Facts): void;
  /** Returns true if lines of this level are not written, so that their facts need not be computed. */
  readonly drops?: ((level: Level) => boolean) | undefined;
}

/** Log that discards its lines. */
export const noLog: Log = Object.assign(() => {}, { drops: () => true });

/** Returns the facts of a log line in the terms of one engine. */
export const factsInWordsOf = (words: Words, facts: Facts = {}): { [name: string]: string | number } =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === "number" ? fact : inWordsOf(words, fact),
    ]),
  );
