import { execFile } from "node:child_process";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { answered, shared } from "../../tools/bundle.ts";
import { cacheFolder } from "../../tools/engines/cache.ts";
import { root } from "../plugin.ts";

/** Terraform plugin as one executable, compiled by Bun, to measure the benefit of such a form of delivery. */

const run = promisify(execFile);
const version = "1.4.5";

/**
 * Returns the path of Bun's executable in the cache. If it is missing, it is first installed from its platform package,
 * which needs no install script.
 */
async function bun(): Promise<string> {
  const folder = join(cacheFolder(), "bun", "versions", version);
  const platform = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;
  const file = join(folder, "node_modules", platform, "bin", "bun");
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) return file;
  const staged = `${folder}-${process.pid}`;
  await mkdir(staged, { recursive: true });
  const options = ["--prefix", staged, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, `${platform}@${version}`]);
  await rename(staged, folder);
  return file;
}

/** Compiles the plugin into a folder. Returns the path of the executable. */
export async function compileWithBun(folder: string): Promise<string> {
  const executable = join(folder, "terraform-provider-kcloud-bun");
  await rm(executable, { force: true });
  const program = `${executable}.cjs`;
  const entryPoints = [join(root, "provider/terraform/main.ts")];
  await build({ ...shared, plugins: [answered], entryPoints, format: "cjs", outfile: program });
  // Without these options, a bunfig.toml or .env in the working folder of the user would be applied.
  const closed = ["--no-compile-autoload-bunfig", "--no-compile-autoload-dotenv"];
  const form = ["--compile", "--bytecode", "--minify", "--format=cjs", "--target=bun"];
  await run(await bun(), ["build", ...form, ...closed, program, "--outfile", executable], {
    cwd: root,
  });
  return executable;
}
