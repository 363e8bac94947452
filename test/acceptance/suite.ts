import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Engine } from "../../tools/engines/engine.ts";
import type { Case } from "./case.ts";
import { type ImportTable, isWriting, rowOf, tableOf, writeTable } from "./import-table.ts";
import type { Result } from "./output.ts";
import { featuresOf, runCases } from "./run.ts";

/** Tests of cases with the acceptance harness. */

/** Time limit in ms of all cases with one engine. */
const limit = 3_600_000;

/**
 * Registers the tests of the cases that an engine can run; `expected` has the rows of all cases in the table of imports.
 */
export function testCases(engine: Engine, all: readonly Case[], expected: ImportTable): void {
  const features = featuresOf(engine);
  const cases = all.filter(({ requires }) => requires === undefined || features[requires]);
  describe(`${engine.name} ${engine.version}`, () => {
    let results: ReadonlyMap<string, Result>;
    beforeAll(async () => {
      results = await runCases(engine, cases, (name) => {
        const row = expected[name];
        return isWriting || !Array.isArray(row) ? undefined : row;
      });
    }, limit);

    test.each(cases.map(({ name }) => name))("%s", (name) => {
      const result = results.get(name);
      if (!result?.passed) throw new Error(result?.output ?? "the harness did not run the case");
    });

    test("imports plan what the table says", async () => {
      const rows = Object.fromEntries(
        cases.flatMap((each) => {
          const result = results.get(each.name);
          return each.imported === undefined || !result?.passed
            ? []
            : [[each.name, rowOf(each.imported, result)]];
        }),
      );
      console.log(tableOf(rows, `${engine.name} ${engine.version}`));
      if (isWriting) await writeTable(rows);
      else expect(rows).toEqual(Object.fromEntries(Object.keys(rows).map((name) => [name, expected[name]])));
    });
  });
}
