import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differenceOf } from "./compare/difference.ts";
import { type Part, parts, type Texts } from "./compare/part.ts";
import { type Renamed, renames, unchanged } from "./compare/renamed.ts";
import { buildRevision, type Revision } from "./compare/revision.ts";
import { cacheFolder } from "./engines/cache.ts";

/**
 * `node tools/compare.ts BASE [HEAD]`: builds two revisions and compares what must not change between them. Names that
 * changed on purpose are in `tools/compare/renamed.json`.
 */

const usage = `Usage: node tools/compare.ts [--only PART,…] BASE [HEAD]

Builds two revisions, HEAD being the working tree where it is left out, and prints
\`same\` or \`differs\` for everything that users and engines see of them. The exit
code is 1 if anything differs.

Parts: ${Object.keys(parts).join(", ")};
a word such as \`life\` stands for all parts that begin with it.
`;

/** The parts whose names begin with one of the words; undefined for a word that fits none. */
function chosen(words: readonly string[]): [string, Part][] | undefined {
  const names = Object.keys(parts);
  const fits = (name: string) => words.some((word) => name === word || name.startsWith(`${word}-`));
  if (words.some((word) => !names.some((name) => name === word || name.startsWith(`${word}-`))))
    return undefined;
  return Object.entries(parts).filter(([name]) => words.length === 0 || fits(name));
}

interface Side {
  readonly revision: Revision;
  readonly renamed: Renamed;
}

/** Runs one part for both revisions at once and prints a line for each text; the number of those that differ. */
async function compare(
  name: string,
  part: Part,
  sides: readonly [Side, Side],
  folder: string,
): Promise<number> {
  const results = await Promise.allSettled(sides.map(({ revision, renamed }) => part(revision, renamed)));
  const failures = results.flatMap((result, at) =>
    result.status === "rejected" ? [`${sides[at]?.revision.name}: ${result.reason}`] : [],
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
    options: { only: { type: "string" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  const selected = chosen(values.only?.split(",") ?? []);
  const [base, head] = positionals;
  if (values.help || selected === undefined || base === undefined || positionals.length > 2) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  const [before, after] = await Promise.all([buildRevision(base), buildRevision(head)]);
  const sides = [
    { revision: before, renamed: renames },
    { revision: after, renamed: unchanged },
  ] as const;
  const folder = join(cacheFolder(), "compare", "difference");
  await rm(folder, { recursive: true, force: true });
  let count = 0;
  for (const [name, part] of selected) count += await compare(name, part, sides, folder);
  console.log(count === 0 ? "Nothing differs." : `${count} of the texts differ.`);
  return count === 0 ? 0 : 1;
}

process.exitCode = await main();
