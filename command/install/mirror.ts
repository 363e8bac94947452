import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { provider, terraformSource } from "../../provider/core/name.ts";
import { CommandError } from "../run.ts";

/** Filesystem mirror of the provider, in the unpacked layout of Terraform and OpenTofu. */

const plugin = `terraform-provider-${provider}`;

/** Program of the provider and the files that must be next to it. */
export interface Program {
  readonly file: string;
  readonly others: readonly string[];
  /** Platform on which the program runs; undefined for the script of the npm package, which runs on several. */
  readonly platform: string | undefined;
}

/**
 * Returns the program of the provider of this package: the single executable itself, else the script in the folder of `kcloud`
 * or in the `dist` folder next to its sources. Throws `CommandError` if the script is missing.
 */
export function programOf(kcloud: string, executable: string | undefined, platform: string): Program {
  if (executable !== undefined) return { file: executable, others: [], platform };
  const folders = [dirname(kcloud), join(dirname(kcloud), "dist")];
  const folder = folders.find((one) => existsSync(join(one, plugin)));
  if (folder === undefined)
    throw new CommandError(`${join(dirname(kcloud), plugin)} is missing: install the package again`);
  const others = companions.map((name) => join(folder, name)).filter((file) => existsSync(file));
  return { file: join(folder, plugin), others, platform: undefined };
}

/**
 * Files of the package that must be next to the script: its code cache, and a file that makes Node read the script as CommonJS
 * regardless of a `package.json` in a parent folder.
 */
const companions = [`${provider}-terraform.cache`, "package.json"];

/** Returns the name of the archive of a release for a platform. */
export const archiveOf = (version: string, platform: string): string =>
  `${plugin}_${version}_${platform}.zip`;

/** Returns the folder of the provider in a mirror. It contains archives, and a folder for each unpacked version. */
export const folderIn = (mirror: string): string => join(mirror, ...terraformSource.split("/"));

/**
 * Copies the program to a mirror for these platforms. Replaces files atomically, because engines may read them at the same
 * time.
 */
export function fillMirror(
  mirror: string,
  version: string,
  platforms: readonly string[],
  { file, others }: Program,
): void {
  for (const platform of platforms) {
    const folder = join(folderIn(mirror), version, platform);
    mkdirSync(folder, { recursive: true });
    for (const other of others) replaceFile(other, join(folder, basename(other)), 0o644);
    replaceFile(file, join(folder, `${plugin}_v${version}`), 0o755);
  }
}

function replaceFile(source: string, target: string, mode: number): void {
  const draft = `${target}.${process.pid}`;
  copyFileSync(source, draft);
  chmodSync(draft, mode);
  renameSync(draft, target);
}
