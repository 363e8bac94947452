import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { StateFileError } from "./file.ts";

/**
 * Makes this process the only emulator of a state file, by a file beside it that holds the process id; the lock of a
 * process that is dead is taken over. Throws `StateFileError`. The answer gives the lock back.
 */
export function lockState(file: string): () => void {
  const lock = `${file}.lock`;
  // Linked into place with its content, so that nobody ever reads half a lock.
  const draft = `${lock}.${process.pid}`;
  try {
    writeFileSync(draft, `${process.pid}\n`, { mode: 0o600 });
    if (!isLinked(draft, lock)) {
      refuseLiving(file, lock);
      rmSync(lock, { force: true });
      if (!isLinked(draft, lock)) throw new StateFileError(file, "was taken by another emulator just now");
    }
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(file, `cannot be written (${(error as Error).message})`);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

/** Puts the lock in place; false when there is one. */
function isLinked(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function refuseLiving(file: string, lock: string): void {
  const holder = Number(readFileSync(lock, "utf8"));
  if (!isAlive(holder)) return;
  const advice = `stop that one, name another file or, if it is no emulator, delete ${lock}`;
  throw new StateFileError(file, `is in use by the emulator of process ${holder}`, advice);
}

function isAlive(pid: number): boolean {
  // In a container every run may have the same id: what bears ours is from a run before.
  if (!Number.isInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else may not be asked, but is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
