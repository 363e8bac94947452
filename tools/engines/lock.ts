import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { type Progress, seconds } from "./progress.ts";

/** A living owner touches its lock this often, in milliseconds. */
const pulse = 5_000;
/** A lock that nobody touched for this long has no owner any more. */
const expiry = 60_000;

/** A lock file, and who is told of the waiting. */
export interface Lock {
  readonly file: string;
  readonly label: string;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
}

/** Runs `work` while this process alone holds the lock file; waits, and says for whom, while another one does. */
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
    if (!waiting) progress.step(`${label}: waiting for process ${owner.pid}, which is at it`);
    else progress.status(`${label}: ${seconds(start)}, still waiting for process ${owner.pid}`);
    waiting = true;
    await delay(250, undefined, signal && { signal });
  }
  const timer = setInterval(() => void touch(file), pulse);
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
  /** Tells two locks of one process apart. */
  readonly token: string;
}

async function take(file: string): Promise<boolean> {
  // Written first and linked then, so that nobody ever reads a lock without its owner.
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

/** Removes the lock of this owner, and not the one that somebody quicker has put in its place meanwhile. */
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

/** Undefined for a file that its owner removed in the meantime. */
async function unlessGone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
