import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute, join, relative, resolve } from "node:path";

import type { Recipe } from "./recipe.ts";

/** Returns the folder of the engines and of the caches of their builds: `$KCLOUD_CACHE`, else `kcloud` in the user's cache. */
export function cacheFolder(): string {
  const { KCLOUD_CACHE, XDG_CACHE_HOME } = process.env;
  if (KCLOUD_CACHE) return resolve(KCLOUD_CACHE);
  const caches = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache");
  return join(caches, "kcloud");
}

/** Returns the folder of an installed engine. All engines use the layout that Pulumi's launcher requires. */
export function engineFolder(recipe: Recipe, cache: string): string {
  return join(cache, recipe.name, "versions", recipe.version);
}

/** Returns the names of the files that the `bin` folder of an engine must contain. */
export function engineFiles(recipe: Recipe): string[] {
  return recipe.builds.flatMap((build) => [
    build.output,
    ...(build.scripts?.files ?? []).map((file) => basename(file)),
  ]);
}

/**
 * Returns a hash of everything that a built engine depends on: version and builds of the recipe, files of the wrapper
 * modules, operating system and architecture.
 */
export async function fingerprint(recipe: Recipe): Promise<string> {
  const builds = recipe.builds.map((build) => ({ ...build, module: basename(build.module) }));
  const hash = createHash("sha256").update(
    JSON.stringify([recipe.version, builds, process.platform, process.arch]),
  );
  for (const { module } of recipe.builds) {
    const entries = await readdir(module, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(relative(module, file)).update(await readFile(file));
  }
  return hash.digest("hex");
}
