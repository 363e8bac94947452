import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/**
 * `node instrument.js FOLDER list FILE…` prints the mutants of these files of the folder as JSON. With `write RANGES`
 * instead of `list`, a JSON object of ranges by file, it also replaces the files by code that contains the mutants
 * within the ranges. The environment variable `__STRYKER_ACTIVE_MUTANT__` activates one by its id, and
 * `globalThis.__stryker__` counts which were reached. JavaScript, since the package is not installed where types are
 * checked.
 */

const ignore = () => {};
const logger = { isDebugEnabled: () => false, debug: ignore, info: ignore, warn: console.error };

const [folder = "", command, ...rest] = process.argv.slice(2);
const ranges = command === "write" ? JSON.parse(rest[0] ?? "{}") : undefined;
const names = ranges === undefined ? rest : Object.keys(ranges);
const sources = await Promise.all(
  names.map(async (name) => ({
    name,
    mutate: ranges?.[name] ?? true,
    content: await readFile(join(folder, name), "utf8"),
  })),
);
const { files, mutants } = await new Instrumenter(logger).instrument(sources, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
});
if (ranges !== undefined) for (const { name, content } of files) await writeFile(join(folder, name), content);
process.stdout.write(
  JSON.stringify(
    mutants.map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: fileName,
      // Lines and columns start at 0.
      location,
      mutator: mutatorName,
      replacement,
    })),
  ),
);
