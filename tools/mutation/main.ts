import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, text } from "../../test/repository/repository.ts";
import { createDraw } from "../../test/simulation/draw.ts";
import { type Coverage, recordCoverage } from "./coverage.ts";
import { allMutants, type Mutant, mutated, prepareCopy } from "./mutant.ts";
import { type Outcome, openTrials, runSimulation } from "./trial.ts";

/**
 * `npm run mutation -- --seed N [--count 400] [--minutes M] [--patience S] [--again [--tests PATH…]] [--simulation]`: draws
 * mutants of the sources by the seed, and runs the unit tests that reach each of them. `npm ci --prefix tools/mutation`
 * installs its dependencies.
 *
 * The same command continues a run that ended early: `dist-mutation/seed-N.json` stores each result. `--minutes` ends the run
 * after that time; `--patience` is the CPU time in seconds for the tests of one mutant. `--again` tests survivors again, after
 * tests were added; `--tests` names a file or folder of those tests. `--simulation` then runs the survivors against 1,000 seeds
 * of the simulation.
 */

interface Run {
  /** Digest of the mutated sources, which determine the mutants. */
  readonly digest: string;
  /** Number of mutants of these sources. */
  readonly of: number;
  readonly drawn: readonly Mutant[];
  /** By id of the mutant. */
  readonly results: Record<string, Outcome>;
}

const noViolation = "no violation";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    count: { type: "string", default: "400" },
    minutes: { type: "string", default: "1440" },
    patience: { type: "string", default: "60" },
    again: { type: "boolean", default: false },
    tests: { type: "string", multiple: true },
    simulation: { type: "boolean", default: false },
  },
});
const { seed } = values;
if (seed === undefined) throw new Error("--seed N is missing");
if (!existsSync(join(import.meta.dirname, "node_modules")))
  throw new Error("the mutation run is not installed; run: npm ci --prefix tools/mutation");
const deadline = Date.now() + Number(values.minutes) * 60_000;
const isLate = () => Date.now() > deadline;

const folder = join(root, "dist-mutation");
const copy = join(folder, "copy");
const resultFile = join(folder, `seed-${seed}.json`);
await mkdir(folder, { recursive: true });
const digest = createHash("sha256").update(mutated.map(text).join("\0")).digest("hex");
const run = await startRun();
const activation = await prepareCopy(copy, digest, run.drawn);

const coverage = await recordCoverage(
  copy,
  join(folder, `coverage-${seed}-${values.count}-${digest.slice(0, 12)}.json`),
  deadline,
);
if (coverage !== undefined) await testMutants(coverage);
if (values.simulation) await simulateSurvivors();
printSummary();

async function testMutants(coverage: Coverage): Promise<void> {
  const trials = openTrials(copy, Number(values.patience) * 1000, coverage);
  for (const mutant of run.drawn) {
    if (isLate()) break;
    const known = run.results[mutant.id];
    const isDue = known === undefined ? values.tests === undefined : values.again && isAlive(known);
    if (!isDue) continue;
    const outcome = await trials.test(inCopy(mutant), killersOf(mutant.file), values.tests);
    const isNew = known === undefined || values.tests === undefined || !isAlive(outcome);
    await record(mutant, isNew ? outcome : known);
  }
  await trials.end();
}

/** Returns a mutant with the number that activates it. */
function inCopy(mutant: Mutant): Mutant {
  return { ...mutant, id: activation[mutant.id] ?? "" };
}

/** Draws the mutants, or reads the run that this one continues. */
async function startRun(): Promise<Run> {
  if (existsSync(resultFile)) {
    const before = JSON.parse(await readFile(resultFile, "utf8")) as Run;
    if (before.digest !== digest)
      throw new Error(`${resultFile} belongs to other sources; remove it to begin again`);
    if (before.drawn.length === Number(values.count)) return before;
  }
  const mutants = await allMutants();
  const source = createDraw(`mutation ${seed}`);
  const drawn = mutants
    .map((mutant) => ({ mutant, key: source.next() }))
    .toSorted((a, b) => a.key - b.key)
    .slice(0, Number(values.count))
    .map(({ mutant }) => mutant);
  const results = existsSync(resultFile)
    ? (JSON.parse(await readFile(resultFile, "utf8")) as Run).results
    : {};
  const started = { digest, of: mutants.length, drawn, results };
  await store(started);
  return started;
}

/** Stores a run atomically, so that an interrupted write does not lose earlier results. */
async function store(started: Run): Promise<void> {
  await writeFile(`${resultFile}.new`, JSON.stringify(started));
  await rename(`${resultFile}.new`, resultFile);
}

function isAlive({ outcome }: Outcome): boolean {
  return outcome === "survived" || outcome === "not reached";
}

function isMissed({ simulation }: Outcome): boolean {
  return simulation === undefined || simulation === noViolation;
}

/** Returns the number of mutants of this source that each test file and each of its tests has killed. */
function killersOf(source: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { id, file } of run.drawn) {
    const killer = run.results[id];
    if (file !== source || killer?.file === undefined) continue;
    for (const key of [killer.file, `${killer.file} ${killer.test}`]) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function sentence(
  { file, location: { start, end }, mutator, replacement }: Mutant,
  outcome: Outcome,
): string {
  const last = end.line === start.line ? "" : ` to ${end.line + 1}`;
  const lines = `${start.line + 1}:${start.column + 1}${last}`;
  const { milliseconds, left } = outcome;
  const found = [
    outcome.outcome,
    milliseconds === undefined ? undefined : `${(milliseconds / 1000).toFixed(1)} s`,
    left === undefined ? undefined : `${left} tests left`,
    outcome.file,
    outcome.test,
    outcome.simulation,
  ].filter((part) => part !== undefined);
  return `${found.join(", ")}: ${file}:${lines} ${mutator} → ${replacement.replace(/\s+/g, " ").slice(0, 200)}`;
}

async function record(mutant: Mutant, outcome: Outcome): Promise<void> {
  run.results[mutant.id] = outcome;
  await store(run);
  console.log(sentence(mutant, outcome));
}

async function simulateSurvivors(): Promise<void> {
  const left = run.drawn.flatMap((mutant) => {
    const outcome = run.results[mutant.id];
    return outcome !== undefined && isAlive(outcome) && outcome.simulation === undefined
      ? [{ mutant, outcome }]
      : [];
  });
  if (left.length === 0 || isLate()) return;
  const violation = await runSimulation(copy);
  if (violation !== undefined) throw new Error(`the simulation fails without a mutant: ${violation}`);
  for (const { mutant, outcome } of left) {
    if (isLate()) return;
    const simulation = (await runSimulation(copy, inCopy(mutant))) ?? noViolation;
    await record(mutant, { ...outcome, simulation });
  }
}

function printSummary(): void {
  const done = run.drawn.flatMap((mutant) => {
    const outcome = run.results[mutant.id];
    return outcome === undefined ? [] : [{ mutant, outcome }];
  });
  const alive = done.filter(({ outcome }) => isAlive(outcome));
  const missed = alive.filter(({ outcome }) => isMissed(outcome));
  if (done.length === 0) {
    console.log("no mutant is tested yet: run the same command again");
    process.exitCode = 1;
    return;
  }
  const killed = (survivors: number) =>
    `${done.length - survivors} of ${done.length} (${((100 * (done.length - survivors)) / done.length).toFixed(1)} %)`;
  console.log("\nSurvivors:");
  for (const { mutant, outcome } of missed) console.log(sentence(mutant, outcome));
  console.log(`\nseed ${seed}: ${run.drawn.length} of ${run.of} mutants drawn`);
  console.log(`killed by unit tests: ${killed(alive.length)}; with the simulation: ${killed(missed.length)}`);
  const left = run.drawn.length - done.length;
  if (left > 0) console.log(`${left} are not tested yet: run the same command again`);
  process.exitCode = left > 0 ? 1 : 0;
}
