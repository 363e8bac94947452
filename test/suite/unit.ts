import { runJest, runSuites } from "./jest.ts";
import { unitSuites } from "./suite.ts";

/** `npm run unit [-- FILE…]`: runs the suites without child processes, or the named test files. */

const args = process.argv.slice(2);
const isNamed = args.some((arg) => !arg.startsWith("-"));
process.exitCode = isNamed
  ? await runJest(args)
  : await runSuites(unitSuites, [...args, "--setupFiles", "<rootDir>/test/suite/no-process.ts"]);
