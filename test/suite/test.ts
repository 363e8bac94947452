import { runSuites } from "./jest.ts";
import { testSuites } from "./suite.ts";

/** Runs the suites of `npm test`, after build, checks and engines: all but sweeps. */
process.exitCode = await runSuites(testSuites, ["--json", "--outputFile=dist/test-results.json"]);
