import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** Paths of this machine, as a root of an engine has them. */

export interface Link {
  readonly path: string;
  readonly target: string;
}

export interface Reached {
  /** Path without links; undefined if there is no such file or folder. */
  readonly path: string | undefined;
  /** Links on the way. */
  readonly links: readonly Link[];
}

/** Maximum number of links in a path, as the system has it. */
const mostLinks = 40;

/** Follows an absolute path. */
export function reach(path: string): Reached {
  const links: Link[] = [];
  let current = "/";
  let rest = partsOf(path);
  for (let [part, ...others] = rest; part !== undefined; [part, ...others] = rest) {
    const next = join(current, part);
    const entry = lstatOf(next);
    if (entry === undefined || links.length > mostLinks) return { path: undefined, links };
    if (entry.isSymbolicLink()) {
      const target = readlinkSync(next);
      links.push({ path: next, target });
      rest = [...partsOf(resolve(current, target)), ...others];
      current = "/";
    } else {
      rest = others;
      current = next;
    }
  }
  return { path: current, links };
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

function lstatOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder above cannot be read, or is a file.
    return undefined;
  }
}

/** Returns true for a path in a folder, and for the folder; both are absolute and without links. */
export const isIn = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);

/** Returns a function that is true for a path in a file system that starts no program, by the option noexec. */
export function noExecution(table = readFileSync("/proc/self/mountinfo", "utf8")): (path: string) => boolean {
  const mounts = table
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, , , , folder = "", options = ""]) => ({
      folder: folder.replaceAll(/\\(\d{3})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      ),
      isNoExecution: options.split(",").includes("noexec"),
    }))
    .filter(({ folder }) => folder !== "")
    // A later mount of the same folder is above the earlier one.
    .toReversed()
    .toSorted((one, other) => other.folder.length - one.folder.length);
  return (path) => mounts.find(({ folder }) => isIn(folder, path))?.isNoExecution ?? false;
}
