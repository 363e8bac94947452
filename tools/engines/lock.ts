import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { type Progress, seconds } from "./progress.ts";

/** Interval in ms at which a running owner updates the time of its lock. */
const updateInterval = 5_000;
/** Time in ms after the last update from which a lock counts as abandoned. */
const expiry = 60_000;

/** Lock file, and receiver of the progress while waiting for it. */
export interface Lock {
  readonly file: string;
  readonly label: string;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` while this process holds the lock file. As long as another process holds the file, waits and reports the
 * id of that process.
 */
export async function withLock(lock: Lock, work: () => Promise<void>): Promise<void> {
  const { file, label, progress, signal } = lock;
  const start = Date.now();
  let waiting = false;
  while (!(await take(file))) {
    const owner = await readOwner(file);
    if (owner === undefined) continue;
    if (await isAbandoned(file, owner)) {
      await remove(file, owner);
      continue;
    }
    if (!waiting) progress.step(`${label}: waiting for process ${owner.pid}, which is installing it`);
    else progress.status(`${label}: ${seconds(start)}, still waiting for process ${owner.pid}`);
    waiting = true;
    await delay(250, undefined, signal && { signal });
  }
  const timer = setInterval(() => void touch(file), updateInterval);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await rm(file, { force: true });
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes two locks of one process. */
  readonly token: string;
}

async function take(file: string): Promise<boolean> {
  // The file is written first and linked afterwards, so that a lock can never be read without its owner.
  const token = randomUUID();
  const draft = `${file}.${token}`;
  await writeFile(draft, `${process.pid} ${hostname()} ${token}\n`);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

async function readOwner(file: string): Promise<Owner | undefined> {
  const text = await unlessGone(readFile(file, "utf8"));
  if (text === undefined) return undefined;
  const [pid = "", host = "", token = ""] = text.trim().split(" ");
  return { pid: Number(pid), host, token };
}

async function isAbandoned(file: string, owner: Owner): Promise<boolean> {
  const info = await unlessGone(stat(file));
  if (info === undefined) return false;
  if (Date.now() - info.mtimeMs > expiry) return true;
  return owner.host === hostname() && !isAlive(owner.pid);
}

/** Removes the lock of this owner. A lock that another process has created since then is put back. */
async function remove(file: string, owner: Owner): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await unlessGone(rename(file, aside));
  const removed = await readOwner(aside);
  if (removed === undefined) return;
  if (removed.token !== owner.token) await link(aside, file);
  await rm(aside);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await unlessGone(utimes(file, now, now));
}

/** Returns the result of an operation on a file; undefined if its owner removed the file in the meantime. */
async function unlessGone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
