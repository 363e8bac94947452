import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { addCodeCaches } from "./bundle/code-cache.ts";
import { driveCommand, drivePulumi, driveTerraform } from "./bundle/drive.ts";
import { partFiles, programs } from "./bundle/program.ts";
import { bundle, shared } from "./bundle.ts";
import { buildLibrary } from "./library/bundle.ts";
import { removeUnreachable } from "./reachable.ts";

/**
 * `npm run build`: builds from the sources everything that a user installs. `generated/` receives the sources that are
 * generated from the definitions, `dist/` the two plugins, the command, the bindings for CDKTF and CDKTN, the schemas of
 * the review, and each public entry as CommonJS and, except `p`, as ES module.
 */

/** Temporary folder, renamed to `dist` when it is complete, so that a build does not affect programs that run from `dist`. */
const dist = `dist-${process.pid}`;

const entries = {
  index: "index.ts",
  emulator: "emulator/emulator.ts",
  review: "review/review.ts",
  pulumi: "generated/pulumi.ts",
  dynamic: "generated/dynamic.ts",
  p: "generated/p.ts",
};

/** Builds a program. Returns the files that it contains code of. */
async function buildProgram(name: string, options: BuildOptions): Promise<ReadonlySet<string>> {
  const withBanner = { ...options, banner: { js: "#!/usr/bin/env node" } };
  const inputs = await bundle(withBanner, `${dist}/${name}`, partFiles[name]);
  chmodSync(`${dist}/${name}`, 0o755);
  return inputs;
}

async function buildEntry(name: string, source: string, more: BuildOptions = {}) {
  const options = { ...shared, entryPoints: [source], packages: "external" as const, ...more };
  await build({ ...options, outfile: `${dist}/${name}.js`, format: "cjs" });
  if (name !== "p") await build({ ...options, outfile: `${dist}/${name}.mjs`, format: "esm" });
}

/** Adds the code caches of the parts that the plugins load before they answer calls of an engine, of the review, and of the tool server. */
async function buildCodeCaches() {
  const network = "provider/platform/undici.ts";
  const terraform = `${dist}/terraform-provider-kcloud`;
  const server = "provider/terraform/rpc/rpc.ts";
  await addCodeCaches(terraform, [server, network], "kcloud-terraform.cache", driveTerraform(terraform));
  const pulumi = `${dist}/pulumi-resource-kcloud`;
  const plugin = "provider/pulumi/plugin/process.ts";
  await addCodeCaches(pulumi, [plugin, network], "kcloud-pulumi.cache", drivePulumi(pulumi));
  const command = `${dist}/kcloud`;
  const parts = ["review/command/main.ts", "mcp/command/main.ts"];
  await addCodeCaches(command, parts, "kcloud-command.cache", driveCommand(command));
}

/** Returns the declaration files of the public entries. */
const declarationEntries = (): string[] =>
  [...JSON.stringify(manifest.exports).matchAll(/"\.\/dist\/module\/([^"]+\.d\.ts)"/g)].map(
    ([, path = ""]) => path,
  );

/** Matches the part of an import in a declaration file that names the source of the module. */
const sourceExtension = /(?<=\b(?:from |import\()"\.[^"\n]*)\.ts(?=")/g;

/**
 * Compiles the types once and copies them for each module system: the `package.json` next to them decides how a
 * compiler reads them. TypeScript before 5.0, which programs that Pulumi generates install, finds no declarations of `.ts`.
 */
function buildTypes() {
  execFileSync("tsc", ["-p", "tools/tsconfig.types.json", "--outDir", `${dist}/types`], { stdio: "inherit" });
  for (const entry of readdirSync(`${dist}/types`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = resolve(entry.parentPath, entry.name);
    writeFileSync(file, readFileSync(file, "utf8").replace(sourceExtension, ".js"));
  }
  removeUnreachable(`${dist}/types`, declarationEntries());
  for (const type of ["module", "commonjs"]) {
    cpSync(`${dist}/types`, `${dist}/${type}`, { recursive: true });
    writeFileSync(`${dist}/${type}/package.json`, `${JSON.stringify({ type })}\n`);
  }
  rmSync(`${dist}/types`, { recursive: true });
}

rmSync("generated", { recursive: true, force: true });
mkdirSync("generated");
mkdirSync(dist);
// The programs have no file extension and are CommonJS, but the package that contains them is an ES module.
writeFileSync(`${dist}/package.json`, `${JSON.stringify({ type: "commonjs" })}\n`);

const { generateSdk } = await import("./sdk/sdk.ts");
for (const { file, text } of generateSdk()) writeFileSync(file, text);

const { emitBindings } = await import("./cdktf/cdktf.ts");
const bindings = emitBindings(resolve(dist));
const inputs: string[] = [];
for (const [name, options] of Object.entries(programs)) inputs.push(...(await buildProgram(name, options)));
const { partsOf, programLicenses } = await import("./release/part.ts");
writeFileSync(`${dist}/LICENSES`, programLicenses(partsOf(inputs)));
await buildCodeCaches();
for (const [name, source] of Object.entries(entries)) await buildEntry(name, source);
await buildLibrary(dist);
buildTypes();
const { packageSchemas } = await import("./schema.ts");
mkdirSync(`${dist}/schema`);
for (const [name, text] of Object.entries(packageSchemas())) writeFileSync(`${dist}/schema/${name}`, text);
await bindings;

rmSync("dist", { recursive: true, force: true });
renameSync(dist, "dist");
