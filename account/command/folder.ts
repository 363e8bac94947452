import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandError } from "../../command/run.ts";

/** Folder of a project, which is written as a whole or not at all. */

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const unusable = (path: string, error: unknown): unknown => {
  const code = codeOf(error);
  return code === undefined
    ? error
    : new CommandError(
        `${path} cannot be written (${code}): choose another folder, or change its permissions`,
      );
};

/**
 * Returns the path of the folder with symbolic links resolved. Throws `CommandError` if it exists and is not empty, if it is a file, or
 * if it cannot be written: a command finds out before it reads an account.
 */
export function requireEmptyFolder(path: string): string {
  try {
    const target = resolvedFolder(path);
    if (existsSync(target) && readdirSync(target).length > 0)
      throw new CommandError(`${path} is not empty: choose another folder, or remove its content`);
    const probe = join(existsSync(target) ? target : existingParent(target), temporaryName());
    mkdirSync(probe);
    rmdirSync(probe);
    return target;
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") throw new CommandError(`${path} is a file: choose another folder`);
    throw unusable(path, error);
  }
}

const temporaryName = (): string => `.kcloud-export-${randomUUID()}`;

/** Returns the absolute path of a folder, or of the one to which a symbolic link points. */
function resolvedFolder(path: string): string {
  const target = resolve(path);
  if (existsSync(target)) return realpathSync(target);
  if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new CommandError(`${path} is a symbolic link to a folder that does not exist: create that folder`);
  return target;
}

function existingParent(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) ? parent : existingParent(parent);
}

/** Returns the folders above a path that do not exist, the highest one first. */
function missingParents(path: string): string[] {
  const parent = dirname(path);
  return existsSync(parent) ? [] : [...missingParents(parent), parent];
}

/**
 * Writes the files to a folder that does not exist or is empty: first to a temporary folder, which becomes the folder when all files
 * are complete. An existing folder, which may be the current one of a shell or a mount, stays, and gets the complete files. After an
 * error, nothing remains.
 */
export function writeFolder(path: string, files: ReadonlyMap<string, string>): void {
  const target = requireEmptyFolder(path);
  const isNew = !existsSync(target);
  const temporary = join(isNew ? dirname(target) : target, temporaryName());
  const parents = missingParents(target);
  try {
    // Node never returns from a recursive mkdir in a file system without folders of the user, such as /proc.
    for (const folder of [...parents, temporary]) mkdirSync(folder);
    for (const [name, content] of files) writeFileSync(join(temporary, name), content, { flag: "wx" });
    if (isNew) renameSync(temporary, target);
    else {
      for (const name of files.keys()) renameSync(join(temporary, name), join(target, name));
      rmdirSync(temporary);
    }
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!isNew) for (const name of files.keys()) rmSync(join(target, name), { force: true });
    for (const parent of parents.toReversed()) if (existsSync(parent)) removeEmpty(parent);
    throw unusable(path, error);
  }
}

/** Removes a folder that was created for the project, unless somebody else uses it by now. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "ENOTEMPTY") throw error;
  }
}
