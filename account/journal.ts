import { createHmac, randomBytes, scryptSync } from "node:crypto";
import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Journal of the responses that an export has read, next to the folder of the project: the next run continues after an interrupt or a
 * crash. It contains no secrets, and only its owner can read it. Each line has an authentication code, whose key follows from the
 * credentials: a line that was edited, or that is of another account, is not used.
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

interface JournalOptions {
  /** Text of which no result is used by a journal with another one: the account, the region and the credentials. */
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
  const [stored = "", ...texts] = file === undefined ? [] : readFileSync(path, "utf8").split("\n");
  const salt = /^[0-9a-f]{32}$/.test(stored) ? stored : randomBytes(16).toString("hex");
  const key = scryptSync(origin, salt, 32);
  const authenticated = (json: string) => `${createHmac("sha256", key).update(json).digest("hex")} ${json}`;
  const fresh = texts.flatMap((text) => {
    const json = text.slice(text.indexOf(" ") + 1);
    if (text !== authenticated(json)) return [];
    const line = JSON.parse(json) as Line;
    return line.at <= now() && now() - line.at <= longestAgeMs ? [{ text, line }] : [];
  });
  const results = new Map(fresh.map(({ line }) => [line.key, line.result]));
  const write = (text: string, flag: "wx" | "a"): boolean => {
    try {
      writeFileSync(path, text, { flag, mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  };
  rmSync(path, { force: true });
  if (!write([salt, ...fresh.map(({ text }) => text), ""].join("\n"), "wx")) return undefined;
  return {
    path,
    found: results.size,
    get: (key) => results.get(key),
    put(key, result) {
      const json = JSON.stringify({ key, at: now(), result } satisfies Line);
      // If a text cannot be written, the next run sends the request again.
      if (canStore(json)) write(`${authenticated(json)}\n`, "a");
    },
    remove: () => rmSync(path, { force: true }),
  };
}
