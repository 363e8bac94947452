import { repeatUntil } from "../state/clock.ts";

/** Interval in ms of looking for the parent process. */
const interval = 500;

/** Returns true if a process exists; also for one of another user. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Resolves when the process that started this one has ended. The system then gives this process another parent, except on Windows,
 * where the number of the parent stays and belongs to no process.
 */
export function parentEnd(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    repeatUntil(interval, () => {
      const hasEnded = process.ppid !== parent || !exists(parent);
      if (hasEnded) resolve();
      return hasEnded;
    });
  });
}
