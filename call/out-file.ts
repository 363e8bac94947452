import { randomBytes } from "node:crypto";
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InvalidCallError } from "./invalid-call.ts";
import { oneLine } from "./text.ts";

/** File of `--out`: it has the whole response, or keeps its former content. */
export interface OutFile {
  write(part: string | Uint8Array): void;
  /** Replaces the file by what was written. */
  complete(): void;
  /** Removes what was written, unless it is complete. */
  discard(): void;
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
  ENOSPC: "no space is left",
};

/**
 * Opens a file before the request is sent, so that a path that cannot be written is reported before. The content goes to a file in the same
 * folder, which is renamed at the end. Only its owner can read it: a response may contain secrets that are only new. Throws
 * `InvalidCallError`.
 */
export function openOut(path: string, hasSecret: boolean): OutFile {
  const status = statSync(path, { throwIfNoEntry: false });
  const refuse = (problem: string) => new InvalidCallError(`--out ${oneLine(path)}: ${problem}`);
  if (status?.isDirectory()) throw refuse("is a folder");
  if (status?.isFIFO()) throw refuse("is a pipe: without --out, the response is written to standard output");
  // A device, such as /dev/null, cannot be replaced.
  if (status !== undefined && !status.isFile()) {
    if (hasSecret) throw refuse("is no regular file, and the response contains a secret");
    const device = opened(path, "w", 0o600, refuse);
    return { ...writerOf(device), complete: () => closeSync(device), discard: () => {} };
  }
  const target = status === undefined ? path : realpathSync(path);
  const place = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString("hex")}`);
  const file = opened(place, "wx", 0o600, refuse);
  let isOpen = true;
  const discard = () => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(file);
    rmSync(place, { force: true });
  };
  return {
    ...writerOf(file),
    complete() {
      closeSync(file);
      isOpen = false;
      renameSync(place, target);
    },
    discard,
  };
}

function opened(
  path: string,
  flags: string,
  mode: number,
  refuse: (problem: string) => InvalidCallError,
): number {
  try {
    return openSync(path, flags, mode);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw refuse(`cannot be written: ${causes[code] ?? code}`);
  }
}

const writerOf = (file: number) => ({
  write(part: string | Uint8Array) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  },
});
