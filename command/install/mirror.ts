import { join } from "node:path";
import { provider, terraformSource } from "../../provider/core/name.ts";
import { copyProgram, type Program } from "./program.ts";

/** Filesystem mirror of the provider, in the unpacked layout of Terraform and OpenTofu. */

const plugin = `terraform-provider-${provider}`;

/** Returns the name of the archive of a release for a platform. */
export const archiveOf = (version: string, platform: string): string =>
  `${plugin}_${version}_${platform}.zip`;

/** Returns the folder of the provider in a mirror. It contains archives, and a folder for each unpacked version. */
export const folderIn = (mirror: string): string => join(mirror, ...terraformSource.split("/"));

/** Copies the program to a mirror for these platforms. */
export function fillMirror(
  mirror: string,
  version: string,
  platforms: readonly string[],
  program: Program,
): void {
  for (const platform of platforms)
    copyProgram(program, join(folderIn(mirror), version, platform), `${plugin}_v${version}`);
}
