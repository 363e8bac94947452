import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compilePrograms } from "../../tools/release/executable.ts";
import { root } from "../repository/repository.ts";
import { runSuites } from "./jest.ts";
import { drawnFaults, executableSuites, longSweeps, sweeps } from "./sweep.ts";

/**
 * `npm run prove`: builds, runs the sweeps, with `--short` without the long ones, runs the engine suites with the single
 * executable of a release, then draws faults until `KCLOUD_PROVE_MINUTES` have passed since its start. The results are `dist/sweep-results.json`,
 * `dist/executable-results.json` and `dist/fault-results.json`.
 */

const { KCLOUD_PROVE_MINUTES: minutes = "45" } = process.env;
if (!/^\d+$/.test(minutes)) throw new Error(`KCLOUD_PROVE_MINUTES must be a whole number, not ${minutes}`);
const deadline = Date.now() + Number(minutes) * 60_000;

async function runScript(name: string): Promise<void> {
  const [code] = await once(spawn("npm", ["run", name], { cwd: root, stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error(`npm run ${name} ended with ${code}`);
}

/** Runs the engine suites with the executable of this machine. Returns the exit code of jest. */
async function runExecutable(): Promise<number> {
  const programs = await mkdtemp(join(tmpdir(), "kcloud-programs-"));
  try {
    await compilePrograms(programs);
    return await runSuites(executableSuites, results("executable"), { KCLOUD_PROGRAMS: programs });
  } finally {
    await rm(programs, { recursive: true });
  }
}

const results = (name: string) => ["--json", `--outputFile=dist/${name}-results.json`];

await runScript("build");
await runScript("engines");
await runScript("browser");
await runScript("postgres");
await runScript("conformance");
await runScript("runtimes");
const isShort = process.argv.includes("--short");
const swept = await runSuites([...sweeps, ...(isShort ? [] : longSweeps)], results("sweep"));
const executed = await runExecutable();
const drawn = await runSuites(drawnFaults, results("fault"), { KCLOUD_PROVE_DEADLINE: String(deadline) });
process.exitCode = swept || executed || drawn;
