// First, before the emulator loads zod's classic library, which makes schemas that are built later slower.
import "../../resources/index.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { manualStart } from "../../emulator/state/clock.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import { createChecker } from "./checker.ts";
import { foreign } from "./console.ts";
import { createDraw } from "./draw.ts";
import type { Checker } from "./fake-engine.ts";
import { apply, type Failure, plan, type Run, refresh } from "./fake-engine.ts";
import { createGroundTruth, type GroundTruth } from "./ground-truth.ts";
import { kinds } from "./kind.ts";
import { createNetwork, type Network } from "./network.ts";
import { heed, renamed } from "./operator.ts";
import { createReport, type Report, type Violation } from "./report.ts";
import { isBlind, kindOf, namesOf } from "./row.ts";
import type { Deed, Item, Schedule, Step } from "./schedule.ts";
import { createLeakFinder, type LeakFinder, secrets } from "./secret.ts";
import { type Passwords, sessionOf } from "./session.ts";
import { copyOf, emptyState, idsOf, type State } from "./state.ts";
import { createWorld, type World } from "./world.ts";

/** What came of a schedule. */
export interface RunResult {
  readonly violations: readonly Violation[];
  /** What happened, line by line, and the same for the same course of things. */
  readonly report: Pick<Report, "lines" | "hash">;
  readonly faults: number;
  readonly requests: number;
  readonly made: number;
}

/** A schedule under way. */
interface Course {
  readonly schedule: Schedule;
  readonly world: World;
  readonly emulator: Emulator;
  readonly truth: GroundTruth;
  readonly network: Network;
  readonly judge: Checker;
  readonly report: Report;
  readonly leaks: LeakFinder;
  state: State;
  adoptExisting: boolean;
  faults: number;
}

/** Longer than anything stays on its way, so that a person who looks sees what is there. */
const onTheWayMs = 95_000;

/** Runs a schedule from its first step to the end of everything it made. */
export async function runSchedule(schedule: Schedule): Promise<RunResult> {
  const draw = createDraw(schedule.seed).fork("world");
  const world = createWorld(draw.fork("ties"));
  const report = createReport(world);
  const { cloud, latencyMs, otpRequired: passwordsDue } = schedule.ambient;
  const emulator = createEmulator({ ...cloud, clock: world, seed: schedule.seed, apiKey: secrets.apiKey });
  const truth = createGroundTruth(emulator, report);
  const leaks = createLeakFinder();
  const course: Course = {
    schedule,
    world,
    emulator,
    truth,
    report,
    leaks,
    network: createNetwork(world, emulator, truth, {
      ...{ draw: draw.fork("network"), latencyMs, passwordsDue, report, leaks },
    }),
    judge: createChecker(world, truth, report, leaks),
    state: emptyState(),
    adoptExisting: schedule.ambient.adoptExisting,
    faults: 0,
  };
  try {
    await world.run(live(course));
  } catch (error) {
    report.violation("crash", error instanceof Error ? String(error.stack) : String(error));
  }
  const { violations } = report;
  const { faults, requests } = course.network.counts;
  const made = truth.made();
  return { violations, report, faults: faults + course.faults, requests, made };
}

async function live(course: Course): Promise<void> {
  const { steps } = course.schedule;
  for (const [at, step] of steps.entries()) {
    course.report.trace(
      `--- step ${at + 1}: ${step.stack.map(({ address }) => address).join(" ") || "nothing"}`,
    );
    const again = await takeStep(course, step);
    // Nobody saw what a killed run left behind: the same is run again before anything else is wanted.
    if (again && !(await converge(course, step.stack))) return;
  }
  course.report.trace("--- calm");
  if (!(await converge(course, steps.at(-1)?.stack ?? []))) return;
  course.report.trace("--- destroy");
  const failures = await destroy(course);
  for (const { address } of failures) course.report.violation("I9", `${address} could not be destroyed`);
  // What nobody sees go is gone a while after its delete was taken.
  await pause(course);
  for (const row of course.truth.rows()) {
    const { krn, kind, name } = row;
    if (course.truth.isOurs(krn) && !(isBlind(row) && course.judge.excuses(row)))
      course.report.violation("I1", `the ${kind} ${name} (${krn}) is left behind`);
  }
}

/** Destroys everything: as often as somebody can do what the errors ask for, and once more. */
async function destroy(course: Course): Promise<Failure[]> {
  for (let helpful = true; ; ) {
    const failures = await apply(begin(course, { stack: [] }));
    if (failures.length === 0 || !helpful) return failures;
    helpful = (await heed(begin(course, { stack: [] }), failures, course.truth)).acted;
  }
}

/** A new process with a session, for one command of an engine. */
function begin(
  course: Course,
  {
    stack,
    timeout,
    refresh = true,
    passwords = "one for each",
  }: { stack: readonly Item[]; timeout?: number | undefined; refresh?: boolean; passwords?: Passwords },
): Run {
  const { schedule, world, judge, state } = course;
  const { ambient } = schedule;
  const process = world.process(ambient.skewsMs);
  const who = { made: new Set<string>(), holds: (id: string) => idsOf(state).has(uuidOf(id)) };
  const session = sessionOf({ ...course, ambient }, process, who, passwords);
  const stop = new AbortController();
  const { engine, parallelism } = ambient;
  return { engine, session, process, judge, state, stack, parallelism, refresh, timeout, stop };
}

/** One run under faults; true when the same is due again: it was killed, or is to take over what it left. */
async function takeStep(course: Course, step: Step): Promise<boolean> {
  const { world, emulator, network, truth } = course;
  network.begin(step.faults.length === 0 ? [] : step.wire);
  for (const fault of step.faults) emulator.faults.add(fault);
  const saved = copyOf(course.state);
  const run = begin(course, {
    ...step,
    refresh: step.refresh || course.schedule.ambient.engine === "terraform",
  });
  let after: State | undefined;
  for (const deed of step.deeds)
    world.after(deed.at, () => {
      course.report.trace(`  somebody: ${deed.does}`);
      if (deed.does === "stop") run.stop.abort();
      else if (deed.does === "suspend") world.suspend(deed.nth * 60_000);
      else if (deed.does === "change" || deed.does === "delete" || deed.does === "make a foreign object")
        meddle(course, deed, saved);
      else {
        if (deed.does === "kill the engine") after = copyOf(course.state);
        // Pulumi saves after every step.
        if (deed.does === "kill the engine before it saves")
          after = run.engine === "pulumi" ? copyOf(course.state) : saved;
        run.process.kill();
      }
    });
  const failures = await apply(run);
  world.calm();
  course.faults += emulator.faults.list().reduce((sum, { hits }) => sum + hits, 0);
  emulator.faults.clear();
  network.begin([]);
  if (after !== undefined) {
    course.judge.lost(course.state, after);
    course.state = after;
  }
  await pause(course);
  if (failures.length === 0) return !run.process.alive();
  const { adopt } = await heed(begin(course, { stack: step.stack }), failures, truth);
  course.adoptExisting ||= adopt;
  return !run.process.alive() || adopt;
}

/** A person takes so long to read and to look. */
const pause = ({ world, schedule }: Course): Promise<void> =>
  world.sleep(onTheWayMs + (schedule.ambient.cloud.listingLagMs ?? 0) + 3 * schedule.ambient.latencyMs);

/** Runs without faults until nothing differs any more (I9): what an error asks for is done, and two runs may fail. */
async function converge(course: Course, wanted: readonly Item[]): Promise<boolean> {
  let stack = wanted;
  const { emulator, truth, report, schedule, world } = course;
  emulator.configure({ taskMs: Math.min(60_000, schedule.ambient.cloud.taskMs ?? 0) });
  // What the cloud has begun takes its time, whatever it would take now.
  const ends = Math.max(0, ...truth.rows().flatMap(({ work, goneAt = 0 }) => [work.endsAt, goneAt]));
  if (ends > world.now()) await world.sleep(ends - world.now());
  await pause(course);
  for (const { krn, kind } of truth.rows())
    if (kind !== "network" && !truth.isOurs(krn) && truth.exists(krn)) emulator.inventory.remove(krn);
  let failures: Failure[] = [];
  for (let helpless = 0, rounds = 0; helpless < 2 && rounds < 12; rounds++) {
    const run = begin(course, { stack });
    failures = await apply(run);
    if (failures.length === 0) return isEmpty(course, run);
    await pause(course);
    const { acted, adopt, rename } = await heed(begin(course, { stack }), failures, truth);
    if (acted) await pause(course);
    if (!acted && rename.size === 0 && (!adopt || course.adoptExisting)) helpless += 1;
    course.adoptExisting ||= adopt;
    stack = renamed(stack, rename, Math.round(world.now() - manualStart));
  }
  for (const { address } of failures)
    report.violation("I9", `${address} fails without a fault, and nobody can help`);
  return false;
}

/** Whether two plans have nothing to do: without and with a look at the cloud. */
async function isEmpty(course: Course, run: Run): Promise<boolean> {
  const { report } = course;
  const check = (when: string): boolean => {
    const changes = plan(run);
    for (const { address, action, plan } of changes)
      report.violation("I9", `a plan ${when} would ${action} ${address}: ${JSON.stringify(plan?.changes)}`);
    return changes.length === 0;
  };
  if (!check("after the apply")) return false;
  // A listing that lags shows an object as it was while it was made.
  await pause(course);
  const failures = await refresh(run);
  for (const { address } of failures) report.violation("I9", `${address} cannot be read`);
  return failures.length === 0 && check("after a refresh");
}

/** Somebody else at work in the same account. */
function meddle({ truth, emulator, schedule }: Course, { does, nth }: Deed, saved: State): void {
  const known = idsOf(saved);
  const rows = truth.rows().filter((row) => namesOf(row).some((name) => known.has(name)));
  const row = rows[nth % Math.max(1, rows.length)];
  if (does === "make a foreign object") foreign(emulator, row?.kind === "vpc" ? row.krn : undefined);
  else if (row !== undefined && does === "delete") emulator.inventory.remove(row.krn);
  else if (row !== undefined) {
    const change = Object.entries(kinds)
      .find(([name]) => kindOf(name) === row.kind)?.[1]
      .drift?.(createDraw(`${schedule.seed}/${nth}`), row);
    if (change !== undefined) emulator.inventory.change(row.krn, change);
  }
}
