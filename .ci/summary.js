// The last line of a run: how many tests passed, failed and were skipped, as jest counted them.
import { readFileSync, rmSync } from "node:fs";

const file = new URL("../dist/test-results.json", import.meta.url);
let counts = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
try {
  counts = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
} catch (error) {
  console.log(`No test results were written (${error.code ?? error.message}): counted as one failure.`);
}
const skipped = counts.numPendingTests + counts.numTodoTests;
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped`);
