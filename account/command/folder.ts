import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CommandError } from "../../command/run.ts";

/** Folder of a project, which is written as a whole or not at all. */

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const unusable = (path: string, error: unknown): unknown => {
  const code = codeOf(error);
  return code === undefined
    ? error
    : new CommandError(
        `${path} cannot be written (${code}): choose another folder, or change its permissions`,
      );
};

/** Throws `CommandError` if the folder exists and is not empty, or is a file. */
export function requireEmptyFolder(path: string): void {
  try {
    if (readdirSync(path).length === 0) return;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    if (codeOf(error) === "ENOTDIR") throw new CommandError(`${path} is a file: choose another folder`);
    throw unusable(path, error);
  }
  throw new CommandError(`${path} is not empty: choose another folder, or remove its content`);
}

/**
 * Writes the files to a folder that does not exist or is empty: first to a temporary folder with the same parent, which is renamed
 * when all files are complete.
 */
export function writeFolder(path: string, files: ReadonlyMap<string, string>): void {
  const target = resolve(path);
  requireEmptyFolder(target);
  const temporary = join(dirname(target), `.${basename(target)}-${randomUUID()}`);
  try {
    mkdirSync(temporary, { recursive: true });
    for (const [name, content] of files) writeFileSync(join(temporary, name), content, { flag: "wx" });
    // Windows does not rename to an existing folder.
    try {
      rmdirSync(target);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw unusable(path, error);
  }
}
