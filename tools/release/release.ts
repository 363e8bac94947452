import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import owner from "../../package.json" with { type: "json" };
import { terraformSource } from "../../provider/core/name.ts";
import { packageFacts } from "../../provider/pulumi/schema/package.ts";
import { generateProject } from "../sdk/language.ts";
import { deflate } from "./deflate.ts";
import type { Entry } from "./entry.ts";
import { bundleProgram, compile, type Program } from "./executable.ts";
import { billOfMaterials, licenseTexts, type Part, partsOf } from "./part.ts";
import { executableName, type Platform, platformName, ReleaseError } from "./platform.ts";
import { pulumiRepository } from "./pulumi-repository.ts";
import { goArchive, pythonArchives } from "./sdk.ts";
import { sign, signingKey } from "./signature.ts";
import { tar, tarGz } from "./tar.ts";
import { zip } from "./zip.ts";

/**
 * Creates a release in one folder: the archives for the registries of Terraform and OpenTofu, the plugin archives of Pulumi,
 * the npm package, the SDKs for Python and Go, mirrors, the repository for Pulumi's registry, and the checksums of all files. The
 * bytes depend only on the sources.
 */

const root = join(import.meta.dirname, "../..");
const { version } = owner;

/** Beginning of the names of the files for registries. */
const provider = `terraform-provider-kcloud_${version}`;

export interface ReleaseOptions {
  /** Folder of the release, which must not exist. */
  readonly out: string;
  readonly platforms: readonly Platform[];
  readonly environment: NodeJS.ProcessEnv;
  /** Prints a line about the progress. */
  readonly step: (line: string) => void;
}

/** Creates a release. Throws a `ReleaseError` with the remedy, without creating the folder. */
export async function release({ out, platforms, environment, step }: ReleaseOptions): Promise<void> {
  const target = resolve(out);
  if (existsSync(target)) throw new ReleaseError(`${out} exists: remove it, or name another folder`);
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(`${target}-`);
  try {
    const program = await bundleProgram();
    try {
      const parts = partsOf(program.inputs);
      await writeFile(join(draft, `${provider}_sbom.cdx.json`), billOfMaterials(parts, platforms));
      for (const platform of platforms) {
        step(`${platformName(platform)}: compiling and packing`);
        await pack(program, parts, platform, draft);
      }
    } finally {
      await rm(program.folder, { recursive: true });
    }
    await packMusl(draft);
    await packNpm(draft);
    step("SDKs for Python and Go: generating and packing");
    await packSdks(draft);
    if (packageFacts(version, owner).repository === undefined) step(withoutOwner);
    await packPulumiRepository(draft);
    await writeFile(join(draft, `${provider}_manifest.json`), manifest);
    await writeSums(draft, environment, step);
    await mirror(draft);
    await chmod(draft, 0o755);
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Line about a release whose SDKs and schema lack the addresses of an owner. */
const withoutOwner = "not to be published: package.json has no repository of an owner (docs/publish.md)";

/** Manifest of the registry: the provider needs an engine with plugin protocol 6. */
const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } }, undefined, 2)}\n`;

/** Temporary folder of the archives for musl. */
const musl = "musl";

async function pack(
  program: Program,
  parts: readonly Part[],
  platform: Platform,
  draft: string,
): Promise<void> {
  const { os, arch } = platform;
  const folder = join(draft, "executable");
  const data = await readFile(await compile(program, platform, folder));
  await rm(folder, { recursive: true });
  const texts: readonly Entry[] = [
    { name: "LICENSE", data: await readFile(join(root, "LICENSE")), mode: 0o644 },
    { name: "LICENSES", data: Buffer.from(licenseTexts(parts, platform)), mode: 0o644 },
  ];
  const executable = (name: string): Entry => ({ name: executableName(name, platform), data, mode: 0o755 });
  const place = platform.musl ? join(draft, musl) : draft;
  await mkdir(place, { recursive: true });
  const packed = [
    zip([executable(`terraform-provider-kcloud_v${version}`), ...texts], deflate).then((archive) =>
      writeFile(join(place, `${provider}_${os}_${arch}.zip`), archive),
    ),
  ];
  if (!platform.musl)
    packed.push(
      tarGz([executable("pulumi-resource-kcloud"), ...texts]).then((archive) =>
        writeFile(join(draft, `pulumi-resource-kcloud-v${version}-${os}-${arch}.tar.gz`), archive),
      ),
    );
  await Promise.all(packed);
}

/**
 * Packs the archives for musl as a separate mirror: a registry has only one archive for Linux on each architecture, the glibc
 * one.
 */
async function packMusl(draft: string): Promise<void> {
  const folder = join(draft, musl);
  if (!existsSync(folder)) return;
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name): Promise<Entry> => {
      return { name: `${terraformSource}/${name}`, data: await readFile(join(folder, name)), mode: 0o644 };
    }),
  );
  await writeFile(join(draft, `${provider}_mirror_linux_musl.tar`), tar(entries));
  await rm(folder, { recursive: true });
}

/** Packs the npm package from `dist/`, which must be built. */
async function packNpm(draft: string): Promise<void> {
  await promisify(execFile)("npm", ["pack", "--pack-destination", draft], { cwd: root });
}

/** Packs the SDKs for Python and Go, which Pulumi's generators make from the schema of the package. */
async function packSdks(draft: string): Promise<void> {
  const archives = [
    ...(await pythonArchives(await generateProject("python"))),
    await goArchive(await generateProject("go")),
  ];
  for (const { name, data } of archives) await writeFile(join(draft, name), data);
}

const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

/** Writes the checksums for the registry (zips and manifest), signed if there is a key, and the checksums of all files. */
async function writeSums(
  draft: string,
  environment: NodeJS.ProcessEnv,
  step: ReleaseOptions["step"],
): Promise<void> {
  const sums = async (files: readonly string[]): Promise<string> => {
    const lines = files.map(async (file) => `${sha256(await readFile(join(draft, file)))}  ${file}\n`);
    return (await Promise.all(lines)).join("");
  };
  const isOfRegistry = (file: string): boolean =>
    file.startsWith(provider) && /\.zip$|_manifest\.json$/.test(file);
  const files = (await readdir(draft)).toSorted();
  const registrySums = await sums(files.filter(isOfRegistry));
  await writeFile(join(draft, `${provider}_SHA256SUMS`), registrySums);
  await writeFile(join(draft, "SHA256SUMS"), await sums([...files, `${provider}_SHA256SUMS`].toSorted()));
  const signed = sign(registrySums, environment);
  if (signed === undefined) return step(`not signed: ${signingKey} is not set`);
  await writeFile(join(draft, `${provider}_SHA256SUMS.sig`), signed.signature);
  await writeFile(join(draft, "signing-key.asc"), signed.publicKey);
}

/** Packs the files of the repository that Pulumi's registry reads. */
async function packPulumiRepository(draft: string): Promise<void> {
  const entries = [...pulumiRepository()].map(
    ([name, text]): Entry => ({ name, data: Buffer.from(text), mode: 0o644 }),
  );
  await writeFile(join(draft, `pulumi-registry-v${version}.tar.gz`), await tarGz(entries));
}

/** Copies the zips to a filesystem mirror for Terraform and OpenTofu. */
async function mirror(draft: string): Promise<void> {
  const folder = join(draft, "mirror", terraformSource);
  await mkdir(folder, { recursive: true });
  const isZip = (name: string) => name.startsWith(provider) && name.endsWith(".zip");
  for (const file of (await readdir(draft)).filter(isZip))
    await copyFile(join(draft, file), join(folder, file));
}
