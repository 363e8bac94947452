import { expect, test } from "@jest/globals";
import { suites, testSuites, unitSuites } from "./suite.ts";
import { drawnFaults, sweeps } from "./sweep.ts";

/** Checks that the commands together run every test file, and which command runs it. */

const proven = [...sweeps, ...drawnFaults];

test("every sweep is a test file, and none is listed twice", () => {
  expect(proven.filter((file) => !suites.includes(file))).toEqual([]);
  expect(proven).toEqual([...new Set(proven)]);
});

test("npm test and npm run prove together run every test file once", () => {
  expect([...testSuites, ...proven].toSorted()).toEqual(suites);
});

test("npm run unit leaves out what starts a process or an engine, and nothing else", () => {
  expect(unitSuites).toContain("test/suite/suite.test.ts");
  const left = testSuites.filter((file) => !unitSuites.includes(file));
  expect(left).toContain("test/terraform/engine.test.ts");
  expect(left.length).toBeLessThan(testSuites.length / 4);
});
