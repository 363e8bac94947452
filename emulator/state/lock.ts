import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StateFileError } from "./file.ts";

/**
 * Locks a state file for this process, by a lock file next to it that holds the process id. Replaces the lock of a
 * process that no longer runs. Throws `StateFileError`. Returns a function that releases the lock.
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

/**
 * Acquires a lock. A stale lock is replaced under a second lock, and only if it still is stale then: of two processes
 * that find it at the same time, the second one would otherwise replace the new lock of the first.
 */
function acquire(file: string, lock: string): void {
  // The lock is linked or renamed into place with its content, so that no reader sees a partial lock.
  const draft = `${lock}.${process.pid}`;
  try {
    writeFileSync(draft, `${process.pid}\n`, { mode: 0o600 });
    if (isLinked(draft, lock)) return;
    refuseLiving(file, lock);
    const takeover = `${lock}.takeover`;
    acquire(file, takeover);
    try {
      refuseLiving(file, lock);
      renameSync(draft, lock);
    } finally {
      rmSync(takeover, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
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

/** Throws `StateFileError` if the process in the lock runs. */
function refuseLiving(file: string, lock: string): void {
  const holder = Number(readFileSync(lock, "utf8"));
  if (!isAlive(holder)) return;
  const advice = `stop that one, name another file or, if it is no emulator, delete ${lock}`;
  throw new StateFileError(file, `is in use by the emulator of process ${holder}`, advice);
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
