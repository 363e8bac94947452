import { runJest, runSuites } from "./jest.ts";
import { unitSuites } from "./suite.ts";

/** `npm run unit [-- FILE…]`: the suites without child processes, or any test files that are named. */

const args = process.argv.slice(2);
const isNamed = args.some((arg) => !arg.startsWith("-"));
process.exitCode = isNamed
  ? await runJest(args)
  : await runSuites(unitSuites, [...args, "--setupFiles", "<rootDir>/test/suite/no-process.ts"]);
