import processes from "node:child_process";

/** Setup file of each suite of `npm run unit`: makes starting a child process throw. */

const refused = (name: string) => () => {
  throw new Error(`${name}: suites of \`npm run unit\` start no child process (test/suite/suite.ts)`);
};

for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const)
  Object.assign(processes, { [name]: refused(name) });
