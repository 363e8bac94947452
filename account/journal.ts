import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Journal of the responses that an export has read, next to the folder of the project: the next run continues after an interrupt or a
 * crash. It contains no secrets, and only its owner can read it.
 */
export interface Journal {
  readonly path: string;
  /** Number of results that an earlier run has written. */
  readonly found: number;
  get(key: string): unknown;
  put(key: string, result: unknown): void;
  remove(): void;
}

/** Maximum age of a result in ms: an account may have changed since. */
export const longestAgeMs = 15 * 60_000;

/** Result of a request with its time in ms since 1970. */
interface Line {
  readonly key: string;
  readonly at: number;
  readonly result: unknown;
}

/** Properties of a journal; the results of another `origin`, such as another account, are not used. */
interface JournalOptions {
  readonly origin: string;
  /** Returns false for a text that must not be stored, such as one with a secret. */
  readonly canStore: (text: string) => boolean;
  readonly now?: () => number;
}

/** Opens a journal. Returns undefined if the file cannot be written, or if another user could have written it. */
export function openJournal(
  path: string,
  { origin, canStore, now = Date.now }: JournalOptions,
): Journal | undefined {
  const file = lstatSync(path, { throwIfNoEntry: false });
  // Windows has neither such an owner nor such a mode.
  const isPrivate = (uid: number, mode: number) =>
    process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  const isOwn = file?.isFile() && isPrivate(file.uid, file.mode);
  if (file !== undefined && !isOwn) return undefined;
  const lines = file === undefined ? [] : linesIn(path, origin);
  const fresh = lines.filter(({ at }) => at <= now() && now() - at <= longestAgeMs);
  const results = new Map(fresh.map(({ key, result }) => [key, result]));
  const write = (text: string, flag: "wx" | "a"): boolean => {
    try {
      writeFileSync(path, text, { flag, mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  };
  rmSync(path, { force: true });
  const texts = [{ origin }, ...fresh].map((line) => `${JSON.stringify(line)}\n`);
  if (!write(texts.join(""), "wx")) return undefined;
  return {
    path,
    found: results.size,
    get: (key) => results.get(key),
    put(key, result) {
      const text = `${JSON.stringify({ key, at: now(), result } satisfies Line)}\n`;
      // If a text cannot be written, the next run sends the request again.
      if (canStore(text)) write(text, "a");
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Returns the complete lines of a journal of the same origin. */
function linesIn(path: string, origin: string): Line[] {
  const [head, ...lines] = readFileSync(path, "utf8").split("\n").map(parsed);
  if ((head as { origin?: unknown } | undefined)?.origin !== origin) return [];
  return lines.filter((line): line is Line => line !== undefined);
}

/** Returns the value of a line; undefined for one that a crash has truncated. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
