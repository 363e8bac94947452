import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { cacheFolder, engineFolder, fingerprint } from "./cache.ts";
import type { Job } from "./job.ts";
import { withLock } from "./lock.ts";
import { type Progress, seconds, streamProgress } from "./progress.ts";
import { inspect, isExecutable, provide } from "./provide.ts";
import type { Recipe } from "./recipe.ts";

/** Options of an installation. */
export interface InstallOptions {
  /** Absolute path of the cache. Default: `cacheFolder()`. */
  readonly cache?: string;
  /** Receiver of the progress. Default: standard error. */
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

/** Stamp of an official release, instead of a fingerprint: no change of a recipe makes a release outdated. */
const official = "official";

/**
 * Returns the folder with the commands of the engine, which is first installed in the cache if it is missing. Throws an
 * `EngineError` with the remedy if the engine can be neither downloaded nor built, or if its files are incomplete or of
 * another version.
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

/**
 * Returns true if the folder contains the official release or a build of the current recipe. Only a complete engine has
 * a stamp: a build gets it before it is moved into place, a release that was copied by hand after its inspection.
 */
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

/**
 * Removes the temporary folders of this call and of earlier ones. Requires the lock, under which no other call uses
 * them.
 */
async function removeLeftovers(prefix: string): Promise<void> {
  const parent = dirname(prefix);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    // After an abort or a kill, compilers that Go started may still write to the folder.
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

/** Moves the complete engine into place. An outdated engine is first moved to `aside`. */
async function publish(staged: string, folder: string, aside: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await rename(folder, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rename(staged, folder);
}
