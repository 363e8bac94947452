import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StateFileError } from "./file.ts";

/**
 * Locks a state file for this process by a lock file next to it that contains the process id. Replaces the lock of a process
 * that no longer runs. Returns a function that releases the lock. Throws `StateFileError`.
 */
export function lockState(file: string): () => void {
  const lock = `${file}.lock`;
  try {
    acquire(file, lock);
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(file, `cannot be written (${(error as Error).message})`);
  }
  return () => rmSync(lock, { force: true });
}

/** Acquires a lock, or replaces a stale one. */
function acquire(file: string, lock: string): void {
  // The lock is linked or renamed into place with its content, so that no reader sees a partial lock.
  const draft = `${lock}.${process.pid}`;
  try {
    writeFileSync(draft, `${process.pid}\n`, { mode: 0o600 });
    while (!isLinked(draft, lock) && !isReplaced(file, lock, draft));
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces a stale lock; false when it was released meanwhile. Takes a second lock first and checks again: of two processes
 * that find the stale lock at the same time, the second one would otherwise replace the new lock of the first.
 */
function isReplaced(file: string, lock: string, draft: string): boolean {
  if (!isStale(file, lock)) return false;
  const takeover = `${lock}.takeover`;
  acquire(file, takeover);
  try {
    if (!isStale(file, lock)) return false;
    renameSync(draft, lock);
    return true;
  } finally {
    rmSync(takeover, { force: true });
  }
}

/** Links the lock into place; false when one exists. */
function isLinked(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Returns false for a lock that was released. Throws `StateFileError` if its process runs. */
function isStale(file: string, lock: string): boolean {
  const content = lockContent(lock);
  if (content === undefined) return false;
  const holder = Number(content);
  if (!isAlive(holder)) return true;
  const advice = `stop that one, name another file or, if it is no emulator, delete ${lock}`;
  throw new StateFileError(file, `is in use by the emulator of process ${holder}`, advice);
}

/** Returns the content of a lock; undefined when there is none. */
function lockContent(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  // In a container every run may have the same process id: a lock with our id is from an earlier run.
  if (!Number.isInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
