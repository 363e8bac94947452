import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { files, root, sources } from "../../test/repository/repository.ts";

/** The copy of the repository that contains all mutants. */

/** A small change of one source file. Lines and columns start at 1. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Kind of the change, such as `ConditionalExpression`. */
  readonly mutator: string;
  readonly replacement: string;
}

/** Files that are mutated: creates, states, waits, reads, updates, deletes, the client and redaction. */
export const mutated = sources.filter((file) =>
  /^provider\/(engine\/((create|state|wait)\/.*|read|update|delete|redaction)|client\/.*)(\.ts|$)/.test(file),
);

/** Copies the repository to `folder` and replaces the mutated files by code that contains all mutants. */
export async function prepareCopy(folder: string): Promise<Mutant[]> {
  await rm(folder, { recursive: true, force: true });
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const command = [join(import.meta.dirname, "instrument.js"), folder, ...mutated];
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Mutant[];
}
