import { importsOf, sources } from "../repository/repository.ts";
import { drawnFaults, sweeps } from "./sweep.ts";

/** Test files by the command that runs them. */

/** All test files. */
export const suites = sources.filter((file) => file.startsWith("test/") && file.endsWith(".test.ts"));

/** Test files of `npm test`: all but sweeps. */
export const testSuites = suites.filter((file) => ![...sweeps, ...drawnFaults].includes(file));

const reached = new Map<string, boolean>();

/** Other files that start a process when a test calls them: a user's command, the generator of bindings, custom rules, plan files. */
const starters = [
  "provider/platform/command.ts",
  "provider/cdktf/cdktf.ts",
  "review/custom-rule/custom-rule.ts",
  "review/read/binary-plan.ts",
];

/**
 * Returns true if a file of tests, tools or benches imports `node:child_process` or a starter, directly or through
 * another one of them. `no-process.ts` catches the rest: a suite of `npm run unit` that starts a process fails.
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
