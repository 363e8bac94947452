import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cached } from "./compare/cached.ts";
import { differenceOf } from "./compare/difference.ts";
import { lifecycles, type Part, parts, type Texts } from "./compare/part.ts";
import { type Renamed, renames, unchanged } from "./compare/renamed.ts";
import { buildRevision, type Revision } from "./compare/revision.ts";
import { cacheFolder } from "./engines/cache.ts";

/**
 * `node tools/compare.ts BASE [HEAD]`: builds two revisions and compares everything that users and engines see. Intentionally
 * renamed names are in `tools/compare/renamed.json`.
 */

const usage = `Usage: node tools/compare.ts [--only PART,…] [--fresh] BASE [HEAD]

Builds two revisions and prints \`same\` or \`differs\` for every text that users and
engines see. Default of HEAD: the working tree. Exit code: 1 if a text differs.

Recordings of BASE are cached and reused; --fresh records them again.

Parts: ${Object.keys(parts).join(", ")};
\`lifecycle\` selects all parts whose names begin with that word.
`;

/**
 * Returns the parts with these names; a name may also be the first word of a part's name. Returns all parts without names,
 * undefined for an unknown name.
 */
function chosen(words: readonly string[]): [string, Part][] | undefined {
  const names = Object.keys(parts);
  const fits = (name: string) => words.some((word) => name === word || name.startsWith(`${word}-`));
  if (words.some((word) => !names.some((name) => name === word || name.startsWith(`${word}-`))))
    return undefined;
  return Object.entries(parts).filter(([name]) => words.length === 0 || fits(name));
}

interface Side {
  readonly part: Part;
  readonly revision: Revision;
  readonly renamed: Renamed;
}

/**
 * Runs one part for both revisions concurrently, and prints a line for each text and its difference, if any. Returns
 * the number of texts that differ; 1 if the part failed.
 */
async function compare(name: string, sides: readonly [Side, Side], folder: string): Promise<number> {
  const results = await Promise.allSettled(
    sides.map(({ part, revision, renamed }) => part(revision, renamed)),
  );
  const failures = results.flatMap((result, index) =>
    result.status === "rejected" ? [`${sides[index]?.revision.name}: ${result.reason}`] : [],
  );
  if (failures.length > 0) {
    console.log(`failed   ${name}\n${failures.join("\n")}`);
    return 1;
  }
  const [base = {}, head = {}] = results.map(
    (result): Texts => (result.status === "fulfilled" ? result.value : {}),
  );
  let count = 0;
  for (const text of new Set([...Object.keys(base), ...Object.keys(head)])) {
    const difference = await differenceOf(text, base[text], head[text], folder);
    console.log(`${(difference === undefined ? "same" : "differs").padEnd(9)}${text}`);
    if (difference === undefined) continue;
    count += 1;
    console.log(difference);
  }
  return count;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { only: { type: "string" }, fresh: { type: "boolean" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  const selected = chosen(values.only?.split(",") ?? []);
  const [base, head] = positionals;
  if (values.help || selected === undefined || base === undefined || positionals.length > 2) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  const before = await buildRevision(base);
  const after = await buildRevision(head);
  const folder = join(cacheFolder(), "compare", "difference");
  await rm(folder, { recursive: true, force: true });
  let count = 0;
  for (const [name, part] of selected) {
    const isRecorded = !values.fresh && Object.hasOwn(lifecycles, name);
    const sides: [Side, Side] = [
      { part: isRecorded ? await cached(name, part) : part, revision: before, renamed: renames },
      { part, revision: after, renamed: unchanged },
    ];
    count += await compare(name, sides, folder);
  }
  console.log(count === 0 ? "Nothing differs." : `${count} of the texts differ.`);
  return count === 0 ? 0 : 1;
}

process.exitCode = await main();
