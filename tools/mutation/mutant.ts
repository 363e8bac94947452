import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { files, root, sources } from "../../test/repository/repository.ts";

/** Lists the mutants of the sources, and creates the copy of the repository that contains the drawn mutants. */

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Mutant: a small change of one source file. */
export interface Mutant {
  /** Number among all mutants of these sources; in the copy, the number that activates it. */
  readonly id: string;
  readonly file: string;
  /** Lines and columns start at 0. */
  readonly location: { readonly start: Position; readonly end: Position };
  /** Kind of the change, such as `ConditionalExpression`. */
  readonly mutator: string;
  readonly replacement: string;
}

/** Files that are mutated: creates, states, waits, reads, updates, deletes, the client and redaction. */
export const mutated = sources.filter((file) =>
  /^provider\/(client|engine\/(create|state|wait|read|update|change|delete|redaction))(\/|\.ts$)/.test(file),
);

async function instrument(...args: readonly string[]): Promise<Mutant[]> {
  const command = [join(import.meta.dirname, "instrument.js"), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Mutant[];
}

/** Returns all mutants of the sources. */
export const allMutants = (): Promise<Mutant[]> => instrument(root, "list", ...mutated);

/** Returns a key of a mutant that does not depend on its number. */
const keyOf = ({ file, location, mutator, replacement }: Mutant): string =>
  JSON.stringify([file, location, mutator, replacement]);

/** Returns for each of these mutants, by its id, the number that activates it in the copy. */
export type Activation = Readonly<Record<string, string>>;

/** Content of the file next to the copy: hash of sources and drawn mutants, and the numbers that activate the mutants. */
interface Made {
  readonly key: string;
  readonly activation: Activation;
}

/** Copies a file unless the copy has the same content. */
async function copyFile(from: string, to: string): Promise<void> {
  const content = await readFile(from);
  if (existsSync(to) && content.equals(await readFile(to))) return;
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, content);
}

/** Copies the repository to `folder`, with code that contains these mutants. Keeps an earlier copy of the same sources. */
export async function prepareCopy(
  folder: string,
  digest: string,
  drawn: readonly Mutant[],
): Promise<Activation> {
  const key = createHash("sha256")
    .update(JSON.stringify([digest, drawn]))
    .digest("hex");
  const note = `${folder}.json`;
  const before: Made | undefined = existsSync(note) ? JSON.parse(await readFile(note, "utf8")) : undefined;
  const isSame = before?.key === key;
  if (!isSame) await rm(note, { force: true });
  if (!isSame) await rm(folder, { recursive: true, force: true });
  for (const file of files)
    if (!isSame || !mutated.includes(file)) await copyFile(join(root, file), join(folder, file));
  if (isSame) return before.activation;
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const byFile = Object.groupBy(drawn, ({ file }) => file);
  const ranges = Object.entries(byFile).map(([file, some = []]) => [
    file,
    some.map(({ location }) => location),
  ]);
  // The ranges also contain nested mutants, which are in the copy but never active.
  const inCopy = await instrument(folder, "write", JSON.stringify(Object.fromEntries(ranges)));
  const active = new Map(inCopy.map((mutant) => [keyOf(mutant), mutant.id]));
  const activation = Object.fromEntries(
    drawn.map((mutant) => {
      const id = active.get(keyOf(mutant));
      if (id === undefined) throw new Error(`the copy lacks the mutant ${keyOf(mutant)}`);
      return [mutant.id, id];
    }),
  );
  await writeFile(note, JSON.stringify({ key, activation } satisfies Made));
  return activation;
}
