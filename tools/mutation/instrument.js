import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/**
 * `node instrument.js FOLDER FILE…` replaces these files of the folder by code that contains all their mutants. The
 * environment variable `__STRYKER_ACTIVE_MUTANT__` activates one by its id, and `globalThis.__stryker__` counts which
 * were reached. Prints the mutants as JSON. JavaScript, since the package is not installed where types are checked.
 */

const ignore = () => {};
const logger = { isDebugEnabled: () => false, debug: ignore, info: ignore, warn: console.error };

const [folder = "", ...names] = process.argv.slice(2);
const sources = await Promise.all(
  names.map(async (name) => ({
    name,
    mutate: true,
    content: await readFile(join(folder, name), "utf8"),
  })),
);
const { files, mutants } = await new Instrumenter(logger).instrument(sources, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
});
for (const { name, content } of files) await writeFile(join(folder, name), content);
process.stdout.write(
  JSON.stringify(
    mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => ({
      id,
      file: fileName,
      // Lines and columns start at 1, as editors count them.
      line: start.line + 1,
      column: start.column + 1,
      endLine: end.line + 1,
      endColumn: end.column + 1,
      mutator: mutatorName,
      replacement,
    })),
  ),
);
