// Prints the numbers of passed, failed and skipped tests in all result files of jest together, as the last line. The exit code
// is 1 if a test failed. A suite that did not run and a result file that was not written count as one failure each.
import { readFileSync } from "node:fs";

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  try {
    const counts = JSON.parse(readFileSync(file, "utf8"));
    totals.passed += counts.numPassedTests;
    totals.failed += counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    totals.skipped += counts.numPendingTests + counts.numTodoTests;
  } catch (error) {
    totals.failed += 1;
    console.log(`${file} was not written (${error.code ?? error.message}): counted as one failure.`);
  }
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
