import { expect, test } from "@jest/globals";
import { importsOf } from "../repository/repository.ts";
import { suites, testSuites, unitSuites } from "./suite.ts";
import { drawnFaults, executableSuites, longSweeps, sweeps } from "./sweep.ts";

/** Tests that the commands together run every test file once, and that each runs the intended files. */

const proven = [...sweeps, ...longSweeps, ...drawnFaults];

test("every sweep is a test file, and none is listed twice", () => {
  expect(proven.filter((file) => !suites.includes(file))).toEqual([]);
  expect(proven).toEqual([...new Set(proven)]);
});

test("npm test and npm run prove together run every test file once", () => {
  expect([...testSuites, ...proven].toSorted()).toEqual(suites);
});

test("npm run unit leaves out suites that start a process or an engine, and no others", () => {
  expect(unitSuites).toContain("test/suite/suite.test.ts");
  const left = testSuites.filter((file) => !unitSuites.includes(file));
  expect(left).toContain("test/terraform/engine.test.ts");
  expect(left.length).toBeLessThan(testSuites.length / 4);
});

/** Helpers of the tests that start an engine with a plugin from the folder of built programs. */
const starters = ["terraform", "pulumi", "pulumi-yaml", "stack", "cdktf"].map(
  (name) => `test/support/engine/${name}.ts`,
);

test("the single executable runs every suite of npm test that starts an engine with a plugin", () => {
  const withPlugin = testSuites.filter((file) =>
    importsOf(file).some(({ to, typeOnly }) => !typeOnly && starters.includes(to)),
  );
  const others = [
    // A synthesized configuration is only read.
    "test/review/read/construct.test.ts",
    // Code caches belong to the npm package.
    "test/terraform/start.test.ts",
    // The schema is checked without a plugin.
    "test/pulumi/schema/metaschema.test.ts",
    // The examples of pages are validated, which only reads the schema.
    "test/terraform/page.test.ts",
    // The examples of the pages of data sources only read, as other suites do with the executable.
    "test/adapter/example/lookup-page.test.ts",
  ];
  expect(withPlugin.filter((file) => ![...executableSuites, ...others].includes(file))).toEqual([]);
  expect(executableSuites.filter((file) => !suites.includes(file))).toEqual([]);
});
