import { expect, test } from "@jest/globals";
import { resultsOf } from "./output.ts";

const output = [
  "=== RUN   TestCase",
  "=== RUN   TestCase/lifecycle/volume",
  "=== PAUSE TestCase/lifecycle/volume",
  "=== RUN   TestCase/lifecycle/vpc",
  "=== PAUSE TestCase/lifecycle/vpc",
  "=== CONT  TestCase/lifecycle/volume",
  "=== CONT  TestCase/lifecycle/vpc",
  "=== NAME  TestCase/lifecycle/volume",
  '    check_test.go:1: import {"address":"kcloud_volume.volume","kind":"id","action":"no-op","changed":[]}',
  "=== NAME  TestCase/lifecycle/vpc",
  "    case_test.go:1: Step 1/9 error: the volume",
  "        was not created",
  "--- FAIL: TestCase (9.00s)",
  "    --- PASS: TestCase/lifecycle/volume (4.00s)",
  "    --- FAIL: TestCase/lifecycle/vpc (5.00s)",
].join("\n");

test("a case that fails is not passed, and has its output", () => {
  const results = resultsOf(output);
  expect([...results].map(([name, { passed }]) => [name, passed])).toEqual([
    ["lifecycle/volume", true],
    ["lifecycle/vpc", false],
  ]);
  expect(results.get("lifecycle/vpc")?.output).toContain("was not created");
});

test("the plans of imports belong to the case that ran them", () => {
  const results = resultsOf(output);
  expect(results.get("lifecycle/volume")?.imports).toEqual([
    { address: "kcloud_volume.volume", kind: "id", action: "no-op", changed: [] },
  ]);
  expect(results.get("lifecycle/vpc")?.imports).toEqual([]);
});

test("a case without an end is not passed", () => {
  const results = resultsOf(output.slice(0, output.indexOf("---")));
  expect([...results.values()].some(({ passed }) => passed)).toBe(false);
});
