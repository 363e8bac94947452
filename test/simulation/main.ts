import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type WorldName, worlds } from "./checker/invariant.ts";
import { shortened } from "./report.ts";
import { type RunResult, runSchedule } from "./run.ts";
import { worldOf } from "./scenario.ts";
import { drawSchedule, type Schedule } from "./schedule.ts";
import { shrink } from "./shrink.ts";

/**
 * `npm run sim -- --seeds N [--first S] [--world W]` runs many schedules. `npm run sim -- --seed S [--world W]` runs one
 * and prints every event. Without `--world` each seed draws its world. With `--until-violation` many schedules run one
 * after the other until the first violation.
 */

/** Results of some seeds, as a child process sends them. */
interface Tally {
  kind: number;
  shared: number;
  beyond: number;
  faults: number;
  requests: number;
  made: number;
  /** Metered requests that were executed and answered as if they were not, so that they are billed twice. */
  billedTwice: number;
  /** Orphans and duplicates of beyond worlds, which an error or a warning named. */
  named: number;
  /** Seeds with the first invariant that they broke. */
  broken: { seed: number; world: WorldName; invariant: string; text: string }[];
}

/** Number of seeds in a hundred that run twice (I12). */
const twice = 1;

async function tally(
  given: WorldName | undefined,
  seeds: Iterable<number>,
  untilViolation = false,
): Promise<Tally> {
  // Most errors here are expected, and their stack traces are not read.
  Error.stackTraceLimit = 0;
  const sum: Tally = {
    ...{ kind: 0, shared: 0, beyond: 0 },
    ...{ faults: 0, requests: 0, made: 0, billedTwice: 0, named: 0, broken: [] },
  };
  for (const seed of seeds) {
    const world = given ?? worldOf(String(seed));
    const schedule = drawSchedule(String(seed), world);
    const outcome = await runSchedule(schedule);
    sum[world] += 1;
    sum.faults += outcome.faults;
    sum.requests += outcome.requests;
    sum.made += outcome.made;
    sum.billedTwice += outcome.billedTwice;
    sum.named += outcome.named;
    const [first] = outcome.violations;
    if (first !== undefined) sum.broken.push({ seed, world, ...first });
    else if (seed % 100 < twice && (await runSchedule(schedule)).report.hash() !== outcome.report.hash())
      sum.broken.push({ seed, world, invariant: "I12", text: "the log of the second run differs" });
    if (untilViolation && sum.broken.length > 0) break;
  }
  return sum;
}

function* every(first: number, count: number, step: number): Generator<number> {
  for (let nth = 0; nth < count; nth += step) yield first + nth;
}

/** Runs the seeds in as many processes as there are cores, including this one. */
async function inProcesses(world: WorldName | undefined, first: number, seeds: number): Promise<Tally[]> {
  const processes = Math.min(availableParallelism(), Math.ceil(seeds / 50));
  const one = (at: number) =>
    new Promise<Tally>((resolve, reject) => {
      const child = fork(import.meta.filename, [
        "--part",
        JSON.stringify([first + at, seeds - at, processes]),
        ...(world === undefined ? [] : ["--world", world]),
      ]);
      child.on("message", (sum) => resolve(sum as Tally));
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`a process of the simulation ended with ${code}`)));
    });
  const others = Array.from({ length: processes - 1 }, (_, at) => one(at + 1));
  return Promise.all([tally(world, every(first, seeds, processes)), ...others]);
}

/** Maximum number of broken seeds that are printed. */
const shown = 20;

async function runMany(
  world: WorldName | undefined,
  first: number,
  seeds: number,
  untilViolation: boolean,
): Promise<void> {
  const began = performance.now();
  const tallies = untilViolation
    ? [await tally(world, every(first, seeds, 1), untilViolation)]
    : await inProcesses(world, first, seeds);
  const seconds = (performance.now() - began) / 1000;
  const total = (name: Exclude<keyof Tally, "broken">) => tallies.reduce((sum, part) => sum + part[name], 0);
  const broken = tallies.flatMap((part) => part.broken).toSorted((a, b) => a.seed - b.seed);
  const counts = worlds.map((name) => ({ name, count: total(name) })).filter(({ count }) => count > 0);
  const run = counts.reduce((sum, { count }) => sum + count, 0);
  console.log(
    [
      `${run} seeds in ${seconds.toFixed(1)} s, ${Math.round((run / seconds) * 60)} a minute (${counts.map(({ name, count }) => `${count} ${name}`).join(", ")})`,
      `${total("faults")} faults injected, ${total("requests")} requests, ${total("made")} objects made`,
      `${total("billedTwice")} metered requests refused after their commit, and billed twice`,
      ...(total("beyond") > 0 ? [`${total("named")} orphans and duplicates that a message named`] : []),
      `${broken.length} violations`,
    ].join("\n"),
  );
  for (const { seed, world, invariant, text } of broken.slice(0, shown))
    console.log(`${invariant} seed ${seed} ${world}: ${shortened(text)}`);
  if (broken.length > shown) console.log(`and ${broken.length - shown} more`);
  const [worst] = broken;
  if (worst !== undefined)
    console.log(`To replay it: npm run sim -- --seed ${worst.seed} --world ${worst.world}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

async function runOne(world: WorldName | undefined, seed: string): Promise<void> {
  const schedule = drawSchedule(seed, world ?? worldOf(seed));
  const outcome = await runSchedule(schedule);
  if (outcome.violations.length === 0) return print(schedule, outcome);
  const smallest = await shrink(schedule, outcome);
  print(smallest.schedule, smallest.outcome);
  process.exitCode = 1;
}

function print({ scenario, steps }: Schedule, { report, violations }: RunResult): void {
  console.log(JSON.stringify(scenario));
  for (const [at, { stack, ...step }] of steps.entries()) {
    console.log(`step ${at + 1}: ${JSON.stringify(step)}`);
    for (const { address, inputs } of stack) console.log(`  ${address} ${JSON.stringify(inputs)}`);
  }
  for (const line of report.lines()) console.log(line);
  console.log(`${violations.length} violations`);
}

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5000" },
    first: { type: "string", default: "1" },
    seed: { type: "string" },
    world: { type: "string" },
    "until-violation": { type: "boolean", default: false },
    /** Seeds of a child process: the first, their number, and the step between them. */
    part: { type: "string" },
  },
});
const world = worlds.find((name) => name === values.world);
if (world !== values.world) throw new Error(`--world: one of ${worlds.join(", ")}`);
if (values.part !== undefined) {
  const [first, count, step] = JSON.parse(values.part) as [number, number, number];
  process.send?.(await tally(world, every(first, count, step)));
} else if (values.seed !== undefined) await runOne(world, values.seed);
else await runMany(world, Number(values.first), Number(values.seeds), values["until-violation"]);
