import { importsOf, sources } from "../repository/repository.ts";
import { drawnFaults, longSweeps, sweeps } from "./sweep.ts";

/** Test files by the command that runs them. */

/** All test files. */
export const suites = sources.filter((file) => file.startsWith("test/") && file.endsWith(".test.ts"));

/** Test files of `npm test`: all but sweeps. */
export const testSuites = suites.filter((file) => ![...sweeps, ...longSweeps, ...drawnFaults].includes(file));

const reached = new Map<string, boolean>();

/** Sources that start a process: for a user's command, the generation of bindings, custom rules and plan files. */
const starters = [
  "provider/platform/command.ts",
  "tools/cdktf/cdktf.ts",
  "review/custom-rule/custom-rule.ts",
  "review/read/binary-plan.ts",
];

/**
 * Returns true if a file imports `node:child_process` or a starter, directly or through other files of tests, tools or
 * benches. For all other ways, `no-process.ts` makes a suite of `npm run unit` fail when it starts a process.
 */
function startsProcess(file: string): boolean {
  const known = reached.get(file);
  if (known !== undefined) return known;
  reached.set(file, false);
  const found = importsOf(file).some(
    ({ to, typeOnly }) =>
      !typeOnly &&
      (to === "node:child_process" ||
        starters.includes(to) ||
        (/^(test|tools|bench)\//.test(to) && startsProcess(to))),
  );
  reached.set(file, found);
  return found;
}

/** Test files of `npm run unit`: those that start no child process, and therefore no engine. */
export const unitSuites = testSuites.filter((file) => !startsProcess(file));
