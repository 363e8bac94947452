import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../../tools/engines/cache.ts";
import { withLock } from "../../../tools/engines/lock.ts";
import { streamProgress } from "../../../tools/engines/progress.ts";
import { isExecutable } from "../../../tools/engines/provide.ts";

/** Python with packages, in a virtual environment that the first test installs in the cache. */

const run = promisify(execFile);
/** Packages of the tests of Pulumi. */
const pulumiPackages = { requirements: join(import.meta.dirname, "requirements.txt"), program: "pyright" };

/** Returns the folder of the virtual environment with these packages, of which one has the program. */
export async function ensurePython({ requirements, program } = pulumiPackages): Promise<string> {
  const version = (await run("python3", ["--version"])).stdout;
  const digest = createHash("sha256")
    .update(version)
    .update(await readFile(requirements));
  const folder = join(cacheFolder(), "python", digest.digest("hex").slice(0, 16));
  const stamp = join(folder, "bin", program);
  await mkdir(dirname(folder), { recursive: true });
  const progress = streamProgress(process.stderr);
  await withLock({ file: `${folder}.lock`, label: "python", progress, signal: undefined }, async () => {
    if (await isExecutable(stamp)) return;
    progress.step("python: installing the packages of requirements.txt");
    await rm(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    await run(join(folder, "bin/python"), [...pip, "-r", requirements]);
  });
  return folder;
}
