import { execFile } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../tools/engines/cache.ts";

/** Reviewer of Terraform plans from PyPI. It has no rules for this cloud, so it reads the plan and reports nothing. */

const run = promisify(execFile);
const version = "3.3.30";

/** Returns the path of the command in the cache, where it is installed if it is missing (290 MB). */
export async function checkov(): Promise<string> {
  const folder = join(cacheFolder(), "checkov", version);
  const file = join(folder, "bin", "checkov");
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) return file;
  try {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin", "python"), ["-m", "pip", "install", "--quiet", `checkov==${version}`]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return file;
}
