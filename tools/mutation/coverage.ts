import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importsOf, text } from "../../test/repository/repository.ts";
import { unitSuites } from "../../test/suite/suite.ts";
import { type Report, runTests } from "./child.ts";
import { mutated } from "./mutant.ts";

/** Which test files reach which mutants. */

/** What one test file does without an active mutant. */
export interface Reached {
  readonly test: string;
  readonly milliseconds: number;
  /** How often the file reaches each mutant, by the id of the mutant. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Returns true if a test file imports a mutated file, directly or through others. Tests that read the sources as text,
 * and tests of growth, which measure the time of the processor, cannot run on the copy.
 */
function isUsed(test: string): boolean {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !/^(test|provider|resources|functions|emulator|bench)\/.*\.ts$/.test(file)) return;
    seen.add(file);
    for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) visit(to);
  };
  visit(test);
  const isRead = seen.has("test/repository/repository.ts") || seen.has("test/support/growth.ts");
  return mutated.some((file) => seen.has(file)) && !isRead;
}

/** Unit tests of a mutation run. */
const tests = unitSuites.filter(isUsed);

const digestOf = (file: string): string => createHash("sha256").update(text(file)).digest("hex");

/** Number of test files that one process of jest runs, so that an interrupted run loses little. */
const batch = 12;

/**
 * Runs every test file once without a mutant, and returns what each reaches; undefined if the deadline, in milliseconds
 * since 1970, passed before. Files whose text is unchanged since the last run are not run again. Files that fail are left
 * out: some need what `npm run build` writes.
 */
export async function recordCoverage(
  copy: string,
  folder: string,
  deadline: number,
): Promise<Reached[] | undefined> {
  await mkdir(folder, { recursive: true });
  const place = (test: string) => join(folder, `${test.replaceAll("/", "+")}.json`);
  const known = join(folder, "known.json");
  const done: Record<string, { digest: string; milliseconds: number; isUsable: boolean }> = existsSync(known)
    ? JSON.parse(await readFile(known, "utf8"))
    : {};
  const left = tests.filter((test) => done[test]?.digest !== digestOf(test));
  while (left.length > 0) {
    if (Date.now() > deadline) return undefined;
    const some = left.splice(0, batch);
    const file = join(copy, "report.json");
    const options = ["--json", `--outputFile=${file}`];
    const { output } = await runTests(copy, some, options, { KCLOUD_COVERAGE: folder }, 1_200_000);
    if (!existsSync(file)) throw new Error(`jest wrote no report: ${output.slice(-4_000)}`);
    const { testResults } = JSON.parse(await readFile(file, "utf8")) as Report;
    await rm(file);
    for (const { name, status, startTime, endTime } of testResults) {
      const test = some.find((file) => name.endsWith(`/${file}`)) ?? name;
      const isUsable = status === "passed" && existsSync(place(test));
      if (!isUsable) console.log(`left out, since it fails without a mutant: ${test}`);
      done[test] = { digest: digestOf(test), milliseconds: endTime - startTime, isUsable };
    }
    await writeFile(known, JSON.stringify(done));
  }
  return Promise.all(
    tests
      .filter((test) => done[test]?.isUsable)
      .map(async (test) => ({
        test,
        milliseconds: done[test]?.milliseconds ?? 0,
        counts: JSON.parse(await readFile(place(test), "utf8")) as Record<string, number>,
      })),
  );
}
