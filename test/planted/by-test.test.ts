import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { defects } from "./defect.ts";
import { copySources, testsOf, withPlanted } from "./plant.ts";

/** Tests that its test finds each planted defect that names one. A sweep, since each defect needs a separate run. */

const folder = await copySources();
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Time in ms after which a test counts as failed: some defects let their test hang. */
const hangs = 60_000;

/** Part of the report that jest writes with `--json`. */
interface Report {
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Expects that the test fails on the copy, which loads without an error. */
async function findByTest(sentence: string): Promise<void> {
  const [file = ""] = testsOf(sentence);
  const report = join(folder, "report.json");
  const jest = join("node_modules", "jest", "bin", "jest.js");
  const only = `(^| )${sentence.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
  const options = [
    ...["--json", "--outputFile", report, "--cacheDirectory", join(folder, "cache"), "--silent"],
    ...["--testNamePattern", only, "--testTimeout", String(hangs)],
  ];
  const command = ["--experimental-vm-modules", "--no-warnings", jest, ...options, "--runTestsByPath", file];
  const status = await new Promise<number | string | null | undefined>((resolve) => {
    const child = execFile(process.execPath, command, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, () =>
      resolve(child.exitCode),
    );
  });
  const found = JSON.parse(await readFile(report, "utf8")) as Report;
  const tests = found.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === "failed").map(({ title }) => title);
  const messages = found.testResults.map(({ message }) => message).join("\n");
  // If the copy does not run at all, the message of jest is reported.
  expect(found.numRuntimeErrorTestSuites === 0 ? "" : messages).toBe("");
  expect(failed).toEqual([sentence]);
  expect(status).toBe(1);
}

test.each(defects.flatMap((defect) => ("test" in defect.foundBy ? [{ ...defect, ...defect.foundBy }] : [])))(
  "the planted defect $name is found",
  (defect) => withPlanted(folder, defect, () => findByTest(defect.test)),
);
