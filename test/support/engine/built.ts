import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Built plugins and command that the suites run: those in `dist/`, or those in the folder `KCLOUD_PROGRAMS`, which contains the
 * single executable of a release under its three names.
 */

const { KCLOUD_PROGRAMS: given } = process.env;

/** Folder of the programs. */
export const programs = given || join(import.meta.dirname, "../../../dist");

/** Returns the path of a program. */
export const program = (name: "terraform-provider-kcloud" | "pulumi-resource-kcloud" | "kcloud"): string =>
  join(programs, name);

/** Returns true if the folder has a `node` that can be started. */
function hasNode(folder: string): boolean {
  try {
    accessSync(join(folder, "node"), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns a PATH without the folders that have a Node. */
export const withoutNode = (path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => !hasNode(folder))
    .join(delimiter);

/** Returns the PATH for engines: without Node if the plugin is the executable, unchanged for the scripts of `dist/`. */
export const pluginPath = (path: string): string => (given ? withoutNode(path) : path);
