import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import { runCommand } from "./command.ts";
import type { Job } from "./job.ts";
import type { Launcher, Recipe } from "./recipe.ts";

/** Milliseconds that a download may take: longer than that, and building is as quick. */
const limit = 300_000;

/** Lets the engine's own launcher download it. What went wrong, or undefined. */
export async function download(launcher: Launcher, recipe: Recipe, job: Job): Promise<string | undefined> {
  const home = join(job.scratch, "launcher");
  await mkdir(home);
  const timeout = AbortSignal.timeout(limit);
  const signal = job.signal === undefined ? timeout : AbortSignal.any([timeout, job.signal]);
  // Its installer takes these folders for its own; it shall find none of the user's.
  const env = {
    ...process.env,
    ...recipe.env,
    ...{ HOME: home, TMPDIR: home, PULUMI_HOME: home, PULUMI_VERSION: recipe.version },
    NODE_USE_ENV_PROXY: "1",
  };
  job.progress.step(`${job.label}: asking its official launcher to download it`);
  try {
    const args = [launcher.script, ...launcher.arguments];
    const { status, output } = await runCommand(process.execPath, args, { ...job, cwd: home, env, signal });
    if (status !== 0) return `its official launcher could not download it: ${output.at(-1) ?? "no word why"}`;
  } catch (error) {
    if (job.signal?.aborted || !timeout.aborted) throw error;
    return `its official launcher did not download it within ${limit / 60_000} minutes`;
  }
  await rename(join(home, launcher.folder), dirname(job.bin));
  return undefined;
}
