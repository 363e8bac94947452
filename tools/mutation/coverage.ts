import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { importsOf, text } from "../../test/repository/repository.ts";
import { unitSuites } from "../../test/suite/suite.ts";
import { startTests } from "./child.ts";
import { mutated } from "./mutant.ts";

/** Records the mutants that each test reaches. */

/** Record of a test that ran without an active mutant. */
export interface Reached {
  readonly file: string;
  /** Position in its file. */
  readonly index: number;
  readonly name: string;
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  /** Number of times that the test reaches each mutant, by the id of the mutant. */
  readonly counts: Counts;
}

/** Numbers by the id of the mutant. */
type Counts = Readonly<Record<string, number>>;

export interface Coverage {
  /** Tests that pass without a mutant. */
  readonly tests: readonly Reached[];
  /** Number of times that loading the sources reaches each mutant. */
  readonly whileLoading: Counts;
  /** Number of times that loading a test file reaches each mutant, by the path of the file. */
  readonly whileLoadingTest: Readonly<Record<string, Counts>>;
  /** Returns true if a test file imports a source, directly or through others. */
  imports(file: string, source: string): boolean;
}

interface Known {
  whileLoading?: Record<string, number>;
  /** By test file. */
  readonly files: Record<
    string,
    { readonly digest: string; readonly whileLoading: Counts; readonly tests: readonly Reached[] }
  >;
}

const graph = new Map<string, ReadonlySet<string>>();
/** Returns the files that a test file imports, directly or through others. */
function importedBy(test: string): ReadonlySet<string> {
  const known = graph.get(test);
  if (known !== undefined) return known;
  const visited = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file) || !/^(test|provider|resources|functions|emulator|bench)\/.*\.ts$/.test(file))
      return;
    visited.add(file);
    for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) visit(to);
  };
  visit(test);
  graph.set(test, visited);
  return visited;
}

/**
 * Returns true if a test file imports a mutated file and can run on the copy. Tests that read the sources as text and tests of
 * growth, which measure CPU time, cannot.
 */
function isUsed(test: string): boolean {
  const imported = importedBy(test);
  const isRead = imported.has("test/repository/repository.ts") || imported.has("test/support/growth.ts");
  return mutated.some((file) => imported.has(file)) && !isRead;
}

const digestOf = (file: string): string => createHash("sha256").update(text(file)).digest("hex");

/**
 * Runs every test once without a mutant and returns the mutants that each reaches; undefined if the deadline, in milliseconds
 * since 1970, passed before. Skips files that are unchanged since the last run. Omits tests that fail: some need the results of
 * `npm run build`.
 */
export async function recordCoverage(
  copy: string,
  place: string,
  deadline: number,
): Promise<Coverage | undefined> {
  const used = unitSuites.filter(isUsed);
  const known: Known = existsSync(place) ? JSON.parse(await readFile(place, "utf8")) : { files: {} };
  let tests = startTests(copy);
  if (known.whileLoading === undefined) {
    known.whileLoading = {};
    for (const file of mutated) Object.assign(known.whileLoading, (await tests.send({ file }))?.counts);
  }
  for (const file of used) {
    const digest = digestOf(file);
    if (known.files[file]?.digest === digest) continue;
    if (Date.now() > deadline) {
      await tests.end();
      return undefined;
    }
    const loaded = await tests.send({ file });
    const reached: Reached[] = [];
    let failed = loaded?.names === undefined ? [`${file}: ${loaded?.error}`] : [];
    for (const [index, name] of (loaded?.names ?? []).entries()) {
      const response = await tests.send({ file, index });
      if (response === undefined) tests = startTests(copy);
      if (response?.counts === undefined || response.error !== undefined) {
        failed = [...failed, `${file}: ${name}: ${response?.error?.slice(0, 200)}`];
        continue;
      }
      const { milliseconds, cpuMilliseconds, counts } = response;
      reached.push({ file, index, name, milliseconds, cpuMilliseconds, counts });
    }
    for (const each of failed) console.log(`left out, since it fails without a mutant: ${each}`);
    known.files[file] = { digest, whileLoading: loaded?.counts ?? {}, tests: reached };
    await writeFile(`${place}.new`, JSON.stringify(known));
    await rename(`${place}.new`, place);
  }
  await tests.end();
  return {
    tests: used.flatMap((file) => known.files[file]?.tests ?? []),
    whileLoading: known.whileLoading,
    whileLoadingTest: Object.fromEntries(used.map((file) => [file, known.files[file]?.whileLoading ?? {}])),
    imports: (file, source) => importedBy(file).has(source),
  };
}
