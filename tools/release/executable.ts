import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, link, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Metafile, type Plugin } from "esbuild";
import { lazyDefinitions } from "../bundle/definition.ts";
import { unusedSchemas } from "../bundle/unused-schema.ts";
import { evaluatedConstants, shared, unusedValidator } from "../bundle.ts";
import { signAdHoc } from "./code-signature.ts";
import { executableName, hostPlatform, type Platform, runtimeOf } from "./platform.ts";

/** Compiles the sources to one executable for each platform, with Bun as the runtime inside. */

const root = join(import.meta.dirname, "../..");

/** Program that is bundled, ready to be compiled. */
export interface Program {
  /** Folder of the program, which the caller removes. */
  readonly folder: string;
  /** Files that the program contains parts of, by their paths below the checkout. */
  readonly inputs: readonly string[];
}

const entry = "kcloud";

/** Plugin that replaces each module that has a version for Bun with that: `listen.ts` with `listen-bun.ts`. */
export const modulesForBun: Plugin = {
  name: "modules for Bun",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
      const replacement = join(resolveDir, path.replace(/\.ts$/, "-bun.ts"));
      return existsSync(replacement) ? { path: replacement } : undefined;
    });
  },
};

/** Bundles `standalone.ts`. esbuild removes unused code and keeps code that only one program uses in a separate file. */
export async function bundleProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-program-"));
  const { metafile }: { metafile: Metafile } = await build({
    ...shared,
    absWorkingDir: root,
    // Without these, the executable would contain paths of the build machine.
    define: { ...shared.define, __dirname: '"/"', __filename: '"/kcloud"' },
    alias: unusedValidator,
    plugins: [evaluatedConstants, lazyDefinitions, unusedSchemas, modulesForBun],
    entryPoints: { [entry]: "tools/release/standalone.ts" },
    format: "esm",
    splitting: true,
    metafile: true,
    outdir: folder,
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: used }) =>
    Object.keys(used).filter((file) => (used[file]?.bytesInOutput ?? 0) > 0),
  );
  return { folder, inputs: [...new Set(inputs)].toSorted() };
}

/**
 * Levels of nested functions that are compiled to bytecode ahead of time; deeper ones are compiled when they are called.
 * With one level a plan takes 9 % longer; with more than three, only the file becomes larger.
 */
const depth = 3;

/** Options that keep the executable from reading any file of the folder where it is started. */
const closed = ["dotenv", "bunfig", "tsconfig", "package-json"].map(
  (file) => `--no-compile-autoload-${file}`,
);

/** Compiles a bundled program for a platform into a folder. Returns the path of the executable. */
export async function compile(program: Program, platform: Platform, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, executableName(entry, platform));
  await promisify(execFile)(
    runtimeOf(hostPlatform()),
    [
      ...["build", `${entry}.js`, "--compile", "--minify", "--format=esm", "--splitting"],
      ...["--bytecode", `--bytecode-depth=${depth}`],
      ...[`--target=bun-${platform.target}`, `--compile-executable-path=${runtimeOf(platform)}`],
      ...closed,
      ...["--outfile", file],
    ],
    { cwd: program.folder, env: { PATH: process.env.PATH, HOME: program.folder } },
  );
  if (platform.os === "darwin") await writeFile(file, signAdHoc(await readFile(file), entry));
  await chmod(file, 0o755);
  return file;
}

/** Names under which the executable runs as a program. */
export const programNames = ["terraform-provider-kcloud", "pulumi-resource-kcloud", "kcloud"] as const;

/** Compiles the executable of this machine into a folder, under all its names. */
export async function compilePrograms(folder: string): Promise<void> {
  const platform = hostPlatform();
  const program = await bundleProgram();
  try {
    const file = await compile(program, platform, folder);
    for (const name of programNames.filter((other) => other !== entry))
      await link(file, join(folder, executableName(name, platform)));
  } finally {
    await rm(program.folder, { recursive: true });
  }
}
