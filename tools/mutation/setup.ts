import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "@jest/globals";

/**
 * Loaded by jest before each test file of a mutation run. Limits how often an active mutant may be reached, so that an
 * endless loop ends with an error, or writes how often the test file reaches each mutant.
 */

interface Instrumentation {
  activeMutant?: string;
  hitCount?: number;
  hitLimit?: number;
  /** Counts by id of the mutant. */
  mutantCoverage?: { readonly static: Readonly<Record<string, number>> };
}

const { KCLOUD_MUTANT: mutant, KCLOUD_HIT_LIMIT: limit, KCLOUD_COVERAGE: folder } = process.env;
const instrumentation: Instrumentation =
  mutant === undefined ? {} : { activeMutant: mutant, hitCount: 0, hitLimit: Number(limit) };
(globalThis as { __stryker__?: Instrumentation }).__stryker__ = instrumentation;

if (folder !== undefined)
  afterAll(() => {
    const { testPath = "" } = expect.getState();
    const file = testPath.slice(testPath.lastIndexOf("/test/") + 1).replaceAll("/", "+");
    writeFileSync(join(folder, `${file}.json`), JSON.stringify(instrumentation.mutantCoverage?.static ?? {}));
  });
