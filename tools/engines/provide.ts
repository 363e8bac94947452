import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { engineFiles } from "./cache.ts";
import { runCommand } from "./command.ts";
import { EngineError, explainBroken, explainMissing } from "./explain.ts";
import { goBuild, missingGo } from "./go.ts";
import type { Job } from "./job.ts";
import { download } from "./launcher.ts";
import type { Recipe } from "./recipe.ts";

/**
 * Puts the engine's commands into `job.bin`: downloads them if the launcher can, else builds them. Returns the method
 * that succeeded. Throws an `EngineError` if none did.
 */
export async function provide(recipe: Recipe, job: Job): Promise<"official" | "built"> {
  const reasons: string[] = [];
  if (recipe.launcher !== undefined) {
    const reason = await download(recipe.launcher, recipe, job);
    if (reason === undefined) return "official";
    job.progress.step(`${job.label}: ${reason}`);
    reasons.push(reason);
  }
  const reason = await build(recipe, job);
  if (reason === undefined) return "built";
  throw new EngineError(await explainMissing(recipe, job.cache, [...reasons, reason]));
}

async function build(recipe: Recipe, job: Job): Promise<string | undefined> {
  const missing = await missingGo(recipe, job);
  if (missing !== undefined) return missing;
  await mkdir(job.bin, { recursive: true });
  for (const part of recipe.builds) {
    job.progress.step(`${job.label}: building ${part.output} from its Go module, which takes minutes`);
    const failure = await goBuild(part, job);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/**
 * Throws an `EngineError` unless the folder contains every command of the engine and its main command reports the
 * pinned version. The version is checked only if the recipe has `versionArguments`.
 */
export async function inspect(recipe: Recipe, folder: string, job: Job): Promise<void> {
  for (const file of engineFiles(recipe)) {
    if (!(await isExecutable(join(folder, "bin", file)))) {
      throw new EngineError(explainBroken(recipe, folder, `${file} is missing or not executable`));
    }
  }
  if (recipe.versionArguments === undefined) return;
  const env = { ...process.env, ...recipe.env, HOME: job.scratch, PULUMI_HOME: job.scratch };
  const command = join(folder, "bin", recipe.command);
  const { output } = await runCommand(command, recipe.versionArguments, { ...job, cwd: job.scratch, env });
  const words = output.flatMap((line) => line.split(/\s+/));
  if (!words.includes(recipe.version) && !words.includes(`v${recipe.version}`)) {
    throw new EngineError(
      explainBroken(recipe, folder, `${recipe.command} reports ${output[0] ?? "no version"}`),
    );
  }
}

/** Returns true if the file exists and is executable. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
