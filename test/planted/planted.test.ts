import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { simulate } from "../simulation/command.ts";
import { type BySimulation, type ByTest, defects } from "./defect.ts";
import { testsOf, withPlanted } from "./plant.ts";

/** Tests that the entry of each planted defect finds it. A sweep, since each defect needs a separate run. */

/** First seed of every search by simulation; `KCLOUD_PLANTED_FIRST` sets another one. */
const { KCLOUD_PLANTED_FIRST: first = "1" } = process.env;

/** Maximum number of seeds of a search. */
const seeds = "1000";

/** Runs the simulation on the copy until its first violation; prints the number of seeds that it needed. */
async function findBySimulation(name: string, folder: string, { world }: BySimulation): Promise<void> {
  const options = ["--until-violation", "--world", world, "--first", first, "--seeds", seeds];
  const { code, output } = await simulate(folder, ...options);
  const [, needed] = /^(\d+) seeds in /.exec(output) ?? [];
  const [, violation] = /\n1 violations\n((?:I\d+|crash) seed \d+ .*)\n/.exec(output) ?? [];
  process.stdout.write(`${name}: ${needed} seeds of a ${world} world from ${first}: ${violation}\n`);
  expect(violation).toBeDefined();
  expect(code).toBe(1);
}

/** Part of the report that jest writes with `--json`. */
interface Report {
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Expects that the test fails on the copy, which loads without an error. */
async function findByTest(folder: string, sentence: string): Promise<void> {
  const [file = ""] = testsOf(sentence);
  const report = join(folder, "report.json");
  const jest = join("node_modules", "jest", "bin", "jest.js");
  const only = `^${sentence.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
  const options = [
    ...["--json", "--outputFile", report, "--cacheDirectory", join(folder, "cache"), "--silent"],
    ...["--testNamePattern", only],
  ];
  const command = ["--experimental-vm-modules", "--no-warnings", jest, ...options, "--runTestsByPath", file];
  const status = await new Promise<number | string | null | undefined>((resolve) => {
    const child = execFile(process.execPath, command, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, () =>
      resolve(child.exitCode),
    );
  });
  const found = JSON.parse(await readFile(report, "utf8")) as Report;
  const tests = found.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  const messages = found.testResults.map(({ message }) => message).join("\n");
  // If the copy does not run at all, the message of jest is reported.
  expect(found.numRuntimeErrorTestSuites === 0 ? "" : messages).toBe("");
  expect(failed).toEqual([sentence]);
  expect(status).toBe(1);
}

const isTest = (foundBy: BySimulation | ByTest): foundBy is ByTest => "test" in foundBy;

test.each(defects)("the planted defect $name is found", (defect) =>
  withPlanted(defect, (folder) =>
    isTest(defect.foundBy)
      ? findByTest(folder, defect.foundBy.test)
      : findBySimulation(defect.name, folder, defect.foundBy),
  ),
);
