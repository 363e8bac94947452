import { execFile } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { lazyDefinitions } from "../bundle/definition.ts";
import { evaluatedConstants, shared } from "../bundle.ts";
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

/** Folders with one file for each definition, and a list of them in `index.ts`. */
const definitionFolders = ["resources", "functions"];

/** Returns the files of the definitions by their names in the bundle: `resources/vpc`. */
async function definitionFiles(): Promise<Record<string, string>> {
  const files = await Promise.all(
    definitionFolders.map(async (folder) =>
      (await readdir(join(root, folder), { withFileTypes: true }))
        .filter((entry) => entry.isFile() && entry.name !== "index.ts")
        .map(({ name }) => join(folder, name)),
    ),
  );
  return Object.fromEntries(files.flat().map((file) => [file.replace(/\.ts$/, ""), file]));
}

/**
 * Plugin that keeps each definition in a file of its own, which a stub of `lazyDefinitions` requires. In the file of the
 * stubs, each definition would be a function, whose functions are too deep for `depth`.
 */
const separateDefinitions: Plugin = {
  name: "separate definitions",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, namespace }) =>
      kind === "require-call" && namespace === "definition"
        ? { path: `./${relative(root, path).replace(/\.ts$/, ".js")}`, external: true }
        : undefined,
    );
  },
};

/** Bundles `standalone.ts`. esbuild removes unused code and keeps code that only one program uses in a separate file. */
export async function bundleProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-program-"));
  const { metafile, outputFiles } = await build({
    ...shared,
    absWorkingDir: root,
    // Without these, the executable would contain paths of the build machine.
    define: { ...shared.define, __dirname: '"/"', __filename: '"/kcloud"' },
    plugins: [evaluatedConstants, separateDefinitions, lazyDefinitions],
    entryPoints: { [entry]: "standalone.ts", ...(await definitionFiles()) },
    format: "esm",
    splitting: true,
    metafile: true,
    write: false,
    outdir: folder,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // Bun bundles a file that `require` names, but not one that a function of esbuild does.
    await writeFile(path, text.replaceAll("__require(", "require("));
  }
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: used }) =>
    Object.keys(used).filter((file) => (used[file]?.bytesInOutput ?? 0) > 0),
  );
  return { folder, inputs: [...new Set(inputs)].toSorted() };
}

/**
 * Levels of nested functions that are compiled to bytecode ahead of time; deeper ones are compiled when they are called.
 * All levels would save 5 % of a plan, and add 3 MB, which an engine hashes before each command once the plugin is
 * installed.
 */
const depth = 1;

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
