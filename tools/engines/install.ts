import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { cacheFolder, engineFolder, fingerprint } from "./cache.ts";
import type { Job } from "./job.ts";
import { withLock } from "./lock.ts";
import { type Progress, seconds, streamProgress } from "./progress.ts";
import { inspect, isExecutable, provide } from "./provide.ts";
import type { Recipe } from "./recipe.ts";

/** Where an engine goes, who is told, and what stops it. */
export interface InstallOptions {
  /** An absolute path; the user's cache when left out. */
  readonly cache?: string;
  /** Standard error when left out. */
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

/** In a stamp, in place of a fingerprint: the official release, which no change of a recipe outdates. */
const official = "official";

/**
 * Brings the engine into the cache unless it is there, and returns the folder of its commands.
 * Throws an `EngineError` that says what to do where it can be neither downloaded nor built.
 */
export async function install(recipe: Recipe, options: InstallOptions = {}): Promise<string> {
  const { cache = cacheFolder(), progress = streamProgress(process.stderr), signal } = options;
  const folder = engineFolder(recipe, cache);
  if (await isReady(recipe, folder)) return join(folder, "bin");
  const label = `${recipe.name} ${recipe.version}`;
  const prefix = join(cache, "tmp", `${recipe.name}-${recipe.version}`);
  await mkdir(dirname(prefix), { recursive: true });
  await withLock({ file: `${prefix}.lock`, label, progress, signal }, async () => {
    if (await isReady(recipe, folder)) return;
    await removeLeftovers(`${prefix}-`);
    const scratch = await mkdtemp(`${prefix}-`);
    try {
      await fill(recipe, folder, {
        cache,
        scratch,
        bin: join(scratch, "engine", "bin"),
        label,
        progress,
        signal,
      });
    } finally {
      await removeLeftovers(`${prefix}-`);
    }
  });
  return join(folder, "bin");
}

/** A complete engine has a stamp, written before the folder got its name. */
async function isReady(recipe: Recipe, folder: string): Promise<boolean> {
  const stamp = await readStamp(folder);
  return stamp === official || (stamp !== undefined && stamp === (await fingerprint(recipe)));
}

async function readStamp(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, "stamp"), "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Under the lock, whatever this or an earlier call left is nobody's. */
async function removeLeftovers(prefix: string): Promise<void> {
  const parent = dirname(prefix);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    // After an abort or a kill the compilers that Go started may still be writing there.
    if (path.startsWith(prefix))
      await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function fill(recipe: Recipe, folder: string, job: Job): Promise<void> {
  const start = Date.now();
  const byHand =
    (await readStamp(folder)) === undefined && (await isExecutable(join(folder, "bin", recipe.command)));
  if (byHand) {
    await inspect(recipe, folder, job);
    await writeFile(join(folder, "stamp"), `${official}\n`);
    return;
  }
  const origin = await provide(recipe, job);
  const staged = dirname(job.bin);
  await inspect(recipe, staged, job);
  const stamp = origin === official ? official : await fingerprint(recipe);
  await writeFile(join(staged, "stamp"), `${stamp}\n`);
  await publish(staged, folder, join(job.scratch, "replaced"));
  job.progress.step(`${job.label}: ready in ${folder} after ${seconds(start)}`);
}

/** The folder gets its name when all of it is there; an outdated one steps aside first. */
async function publish(staged: string, folder: string, aside: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rename(staged, folder);
}
