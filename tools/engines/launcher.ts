import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import { runCommand } from "./command.ts";
import type { Job } from "./job.ts";
import type { Launcher, Recipe } from "./recipe.ts";

/** Maximum duration of a download in ms. A build would be faster than a longer download. */
const limit = 300_000;

/** Downloads the engine with its own launcher. Returns the failure; undefined after a success. */
export async function download(launcher: Launcher, recipe: Recipe, job: Job): Promise<string | undefined> {
  const home = join(job.scratch, "launcher");
  await mkdir(home);
  const timeout = AbortSignal.timeout(limit);
  const signal = job.signal === undefined ? timeout : AbortSignal.any([timeout, job.signal]);
  // The installer writes to these folders instead of those of the user.
  const env = {
    ...process.env,
    ...recipe.env,
    ...{ HOME: home, TMPDIR: home, PULUMI_HOME: home, PULUMI_VERSION: recipe.version },
    NODE_USE_ENV_PROXY: "1",
  };
  job.progress.step(`${job.label}: downloading with the official launcher`);
  try {
    const args = [launcher.script, ...launcher.arguments];
    const { status, output } = await runCommand(process.execPath, args, { ...job, cwd: home, env, signal });
    if (status !== 0) return `the official launcher could not download it: ${output.at(-1) ?? "no output"}`;
  } catch (error) {
    if (job.signal?.aborted || !timeout.aborted) throw error;
    return `the official launcher did not download it within ${limit / 60_000} minutes`;
  }
  await rename(join(home, launcher.folder), dirname(job.bin));
  return undefined;
}
