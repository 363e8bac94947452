import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../run.ts";

/** New files in a folder that may have others. */

/** Runs work on a path; turns an error of the system into a `CommandError`. */
function reporting<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandError(
      `nothing was written, since ${path} cannot be written (${code}): choose another folder, or change its permissions`,
    );
  }
}

/**
 * Returns the file that prevents a new file at a path: the file itself, also a symbolic link that leads nowhere, or one in the place of
 * a folder; undefined if there is none.
 */
function obstacleOf(folder: string, path: string): string | undefined {
  const names = path.split("/");
  for (const [index] of names.entries()) {
    const part = names.slice(0, index + 1).join("/");
    const target = join(folder, part);
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) return;
    if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return part;
  }
  return path;
}

/** Throws `CommandError` with the list of the files that prevent new files at these paths. */
export function requireNone(folder: string, paths: readonly string[]): void {
  const existing = new Set(paths.flatMap((path) => reporting(path, () => obstacleOf(folder, path)) ?? []));
  if (existing.size > 0)
    throw new CommandError(`nothing was written, since these files exist: ${[...existing].join(", ")}`);
}

/** Throws `CommandError` with the list of the files in a folder that conflict with a start. */
export function requireNoConflict(folder: string, names: RegExp | undefined): void {
  const found = names === undefined ? [] : readdirSync(folder).filter((name) => names.test(name));
  if (found.length > 0)
    throw new CommandError(
      `nothing was written, since this folder has a configuration, to which another one does not add: ${found.toSorted().join(", ")}`,
    );
}

/** Returns the folders above a path that do not exist, the highest one first. */
function missingFolders(path: string): string[] {
  const parent = dirname(path);
  return existsSync(parent) ? [] : [...missingFolders(parent), parent];
}

/**
 * Writes new files by their paths in a folder: all of them, or none. Never writes to an existing file. Throws `CommandError` if a
 * file exists or cannot be written; then the files and folders that it created are removed.
 */
export function writeNewFiles(folder: string, files: Readonly<Record<string, string>>): void {
  requireNone(folder, Object.keys(files));
  const folders: string[] = [];
  const written: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    try {
      reporting(path, () => {
        for (const missing of missingFolders(file)) {
          mkdirSync(missing);
          folders.push(missing);
        }
        // Creates the file before its content, so that a full disk leaves no file.
        writeFileSync(file, "", { flag: "wx" });
        written.push(file);
        writeFileSync(file, content);
      });
    } catch (error) {
      for (const one of written) rmSync(one);
      for (const one of folders.toReversed()) removeEmpty(one);
      throw error;
    }
  }
}

/** Removes a folder that was created for the files, unless somebody else uses it by now. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
  }
}
