// Import first, before the emulator loads zod's classic library, which slows down schemas that are built later.
import "../../resources/index.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { manualStart } from "../../emulator/state/clock.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import { explain, OperationError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { graceMs } from "../../provider/engine/operation.ts";
import type { Plan } from "../../provider/engine/plan.ts";
import { createChecker } from "./checker/checker.ts";
import { foreign } from "./console.ts";
import { createDraw, type Draw } from "./draw.ts";
import { apply, plan, refresh } from "./engine/engine.ts";
import { providerOf } from "./engine/provider.ts";
import type { Checker, Failure, Run } from "./fake-engine.ts";
import { createGroundTruth, type GroundTruth, type Part, partsOf } from "./ground-truth.ts";
import type { Item } from "./item.ts";
import { kinds, type Row } from "./kind.ts";
import { createNetwork, type Interruption, type Network } from "./network.ts";
import { corrected, followRemedies, removeUnwanted, type Unclear, unclearCreates } from "./operator.ts";
import { createReport, type Report, type Violation } from "./report.ts";
import { createRival, equalInputs, isAdopted, rivalInputs } from "./rival.ts";
import { isLosable, isPermanent, kindOf, namesOf } from "./row.ts";
import { drawSkews, type Scenario } from "./scenario.ts";
import { equalRival, type Schedule, type SideEvent, type Step } from "./schedule.ts";
import { removeSecondAddress } from "./second-address.ts";
import { createLeakFinder, type LeakFinder, secrets } from "./secret.ts";
import { type Passwords, sessionOf } from "./session.ts";
import { withOtherGroups } from "./spelling.ts";
import { copyOf, emptyState, idsOf, type State } from "./state.ts";
import { createWorld, type Process, type World } from "./world.ts";

/** Result of a schedule. */
export interface RunResult {
  readonly violations: readonly Violation[];
  /** Log of the schedule; its hash is equal for equal runs. */
  readonly report: Pick<Report, "lines" | "hash">;
  readonly faults: number;
  readonly requests: number;
  readonly made: number;
  readonly billedTwice: number;
  /** Orphans and duplicates of a beyond world, which an error or a warning named. */
  readonly named: number;
}

/** Running schedule. */
interface Execution {
  readonly schedule: Schedule;
  readonly world: World;
  readonly emulator: Emulator;
  readonly truth: GroundTruth;
  readonly network: Network;
  readonly checker: Checker;
  readonly report: Report;
  readonly leaks: LeakFinder;
  state: State;
  adoptExisting: boolean;
  /** True once the operator lowered `max_requests_per_second`. */
  slow: boolean;
  faults: number;
  named: number;
  /** True if another user created an object in this step that equals the requested one. */
  isEqualled: boolean;
  /** Warnings of all runs that an object may exist. */
  readonly mayExist: Run["warnings"];
  /** Creates of all runs whose errors said that an object may exist. */
  readonly unclear: Unclear[];
  /** Process of the latest run. */
  running: Process | undefined;
  /** Planned changes of the latest run, and those of earlier ones that only recorded a value: a later write may send it. */
  shown: Run["shown"];
}

/** Time in ms by which every delayed request has arrived: the operator then sees the final state. */
const inFlightMs = 95_000;

/** Time in ms before the end of the grace period of a stop from which a response may come too late. */
const graceSlackMs = 100;

/** Default of `settle_seconds` in ms, plus some seconds. */
const settleMs = 130_000;

/** Number of incomplete responses after which a plan is checked. */
const omissions = 3;

/** Runs a schedule from its first step to the destroy of everything that it created. */
export async function runSchedule(schedule: Schedule): Promise<RunResult> {
  const draw = createDraw(schedule.seed).fork("world");
  const world = createWorld(draw.fork("ties"));
  const { cloud, latencyMs, otpRequired: passwordsDue, world: name } = schedule.scenario;
  const report = createReport(world, name);
  const emulator = createEmulator({ ...cloud, clock: world, seed: schedule.seed, apiKey: secrets.apiKey });
  const truth = createGroundTruth(emulator, report, name, world.now);
  const leaks = createLeakFinder();
  const execution: Execution = {
    schedule,
    world,
    emulator,
    truth,
    report,
    leaks,
    network: createNetwork(world, emulator, truth, {
      ...{ draw: draw.fork("network"), latencyMs, passwordsDue, report, leaks },
      spelling: drawSpelling(schedule),
    }),
    checker: createChecker(world, truth, report, leaks, name, cloud),
    state: emptyState(),
    adoptExisting: schedule.scenario.adoptExisting,
    slow: false,
    faults: 0,
    named: 0,
    isEqualled: false,
    mayExist: [],
    unclear: [],
    running: undefined,
    shown: [],
  };
  try {
    await world.run(runSteps(execution));
  } catch (error) {
    report.violation("crash", error instanceof Error ? String(error.stack) : String(error));
  }
  const { violations } = report;
  const { faults, requests, billedTwice } = execution.network.counts;
  const made = truth.made();
  const { named } = execution;
  return { violations, report, faults: faults + execution.faults, requests, made, billedTwice, named };
}

async function runSteps(execution: Execution): Promise<void> {
  const { steps, scenario } = execution.schedule;
  const isBeyond = scenario.world === "beyond";
  for (const [at, step] of steps.entries()) {
    execution.report.trace(
      `--- step ${at + 1}: ${step.stack.map(({ address }) => address).join(" ") || "nothing"}`,
    );
    const again = await runStep(execution, step);
    // Nothing reported the objects of a killed run: the same stack is run again before the next step.
    if (again && !(await converge(execution, step.stack)) && !isBeyond) return;
  }
  execution.report.trace("--- calm");
  const stack = steps.at(-1)?.stack ?? [];
  const isCalm = await converge(execution, stack);
  if (!isCalm && !isBeyond) return;
  if (isCalm && !isBeyond) await holdTwice(execution, stack);
  execution.report.trace("--- destroy");
  const failures = await destroy(execution);
  for (const { address } of failures) execution.report.violation("I9", `${address} could not be destroyed`);
  // An object whose deletion no read shows is gone only some time after the delete was accepted.
  await pause(execution);
  const stored = idsOf(execution.state);
  for (const row of execution.truth.rows()) {
    const { krn, kind, name } = row;
    if (isPermanent(row)) continue;
    if (!execution.truth.isOurs(krn) || (isLosable(row) && execution.checker.excuses(row))) continue;
    if (isBeyond && isExcused(execution, row, stored)) continue;
    execution.report.violation("I1", `the ${kind} ${name} (${krn}) still exists after the destroy`);
  }
  if (!isBeyond) return;
  for (const row of execution.truth.duplicates())
    if (execution.checker.isNamed(row)) execution.named += 1;
    else execution.report.violation("I2", `nothing names the second ${row.kind} ${row.name} (${row.krn})`);
}

/** Marks an object of the state for replacement by the engine. */
function markReplaced({ state, report }: Execution, nth: number): void {
  const made = [...state.kept.values()].filter(
    ({ state: { id }, isPending }) => id !== undefined && !isPending,
  );
  const one = made[nth % Math.max(1, made.length)];
  if (one === undefined) return;
  report.trace(`  the engine replaces ${one.address}`);
  state.kept.set(one.address, { ...one, tainted: true });
}

/** Draws the spellings of ids in responses for a third of the schedules outside of a kind world. */
function drawSpelling({ seed, scenario }: Schedule): Draw | undefined {
  const draw = createDraw(seed).fork("spelling of ids");
  return scenario.world !== "kind" && draw.chance(0.3) ? draw : undefined;
}

/** Gives an object a second address in one of some schedules, and removes one of both (I19). */
async function holdTwice(execution: Execution, stack: readonly Item[]): Promise<void> {
  const draw = createDraw(execution.schedule.seed).fork("second address");
  if (!draw.chance(0.3)) return;
  await removeSecondAddress({
    ...execution,
    begin: (wanted) => begin(execution, { stack: wanted }),
    stack,
    draw,
  });
}

/**
 * Returns true for an orphan of a beyond world that the state still has, or if a message named the orphan or a parent of
 * it. An object that the API creates together with another one, such as the network of a VPC or the first rule of a group,
 * counts as in the state while that other object or its VPC does.
 */
function isExcused(execution: Execution, row: Row, stored: ReadonlySet<string>): boolean {
  const own = namesOf(row);
  const together = execution.truth.createdWith(row.krn);
  if ([...own, ...together].some((name) => stored.has(name))) return true;
  const isExtra = together.some((name) => name !== row.krn && !own.includes(name));
  if (isExtra && row.parents.some((krn) => stored.has(uuidOf(krn)))) return true;
  const around = execution.truth.rows().filter(({ krn }) => row.parents.includes(krn));
  if (![row, ...around].some(execution.checker.isNamed)) return false;
  execution.named += 1;
  return true;
}

/** Destroys everything. Returns the errors after two failed rounds in which the operator had nothing to do. */
async function destroy(execution: Execution): Promise<Failure[]> {
  let failures: Failure[] = [];
  for (let failedRounds = 0; failedRounds < 2; ) {
    failures = await applyAndTidy(execution, begin(execution, { stack: [] }));
    if (failures.length === 0) return failures;
    const { acted, slow } = await followRemedies(begin(execution, { stack: [] }), failures, execution.truth);
    if (!acted && (!slow || execution.slow)) failedRounds += 1;
    if (slow) await pause(execution);
    execution.slow ||= slow;
  }
  return failures;
}

/** Applies, and removes what warnings named and the program no longer has. Returns the errors. */
async function applyAndTidy({ truth, mayExist, unclear }: Execution, run: Run): Promise<Failure[]> {
  const failures = await apply(run);
  // The program may lose an address some runs after the warning or the error.
  mayExist.push(...run.warnings.filter(({ warning }) => warning.code === "may-exist"));
  unclear.push(...unclearCreates(run, failures));
  removeUnwanted({ ...run, warnings: [...mayExist, ...run.warnings] }, unclear, truth);
  return failures;
}

/** Starts a process of the provider, on a machine with its own clock. */
function processOf({ schedule, world }: Execution): Process {
  const draw = createDraw(`${schedule.seed}/clock/${world.now()}`);
  return world.process(drawSkews(draw, schedule.scenario.skewMs));
}

/** Opens a new provider process with a session, for one command of an engine. */
function begin(
  execution: Execution,
  {
    stack,
    timeout,
    refresh = true,
    passwords = "one for each",
  }: { stack: readonly Item[]; timeout?: number | undefined; refresh?: boolean; passwords?: Passwords },
): Run {
  const { schedule, world, checker, state } = execution;
  const scenario = execution.slow ? { ...schedule.scenario, maxRequestsPerSecond: 1 } : schedule.scenario;
  const process = processOf(execution);
  execution.running = process;
  const { engine, order, parallelism } = scenario;
  const stop = new AbortController();
  const warnings: Run["warnings"] = [];
  const shown = execution.shown.map(({ names, changes }) => ({
    names,
    changes: changes.filter(({ recordOnly }) => recordOnly),
  }));
  execution.shown = shown;
  let acceptsUntil = Number.NEGATIVE_INFINITY;
  stop.signal.addEventListener("abort", () => {
    acceptsUntil = world.awake() + graceMs[engine] - graceSlackMs;
  });
  const party = {
    made: new Set<string>(),
    holds: (id: string) => idsOf(state).has(uuidOf(id)),
    replaces: (id: string) => idsOf({ kept: new Map(), replaced: state.replaced }).has(uuidOf(id)),
    adopts: (id: string) =>
      scenario.world === "beyond" &&
      isAdopted(
        { warnings, stack, idOf: (address) => state.kept.get(address)?.state.id },
        id,
        execution.truth,
      ),
    // A request that a process sent before it ended may arrive later: it has no plan any more.
    shows: (row: Row, part: Part) =>
      execution.running !== process ||
      shown.some(
        ({ names, changes }) =>
          namesOf(row).some((one) => names.includes(one)) && changes.some((change) => isPart(change, part)),
      ),
    acceptsUntil: () => acceptsUntil,
  };
  const transport = execution.network.transport(process, party);
  const session = sessionOf({ ...execution, scenario }, process, transport, passwords);
  return {
    engine,
    // With `adopt_existing`, a replacement can adopt the object that Terraform leaves to the next run, which deletes it.
    ...(order === "terraform" && !execution.adoptExisting ? { isOpenTofu: false } : {}),
    provider: providerOf(session),
    session,
    process,
    checker,
    state,
    stack,
    parallelism,
    refresh,
    previews: true,
    timeout,
    stop,
    creating: new Set(),
    shown,
    warnings,
  };
}

/**
 * Runs one step with its faults. Returns true if the same stack has to run again: the process was killed, or the next
 * run adopts objects.
 */
async function runStep(execution: Execution, step: Step): Promise<boolean> {
  const { world, emulator, network, truth } = execution;
  // No two processes begin in the same millisecond.
  await world.sleep(1);
  if (step.operator !== undefined) await operate(execution, step.operator);
  if (step.replaced !== undefined) markReplaced(execution, step.replaced);
  for (const fault of step.faults) emulator.faults.add(fault);
  const saved = copyOf(execution.state);
  const run = begin(execution, {
    ...step,
    refresh:
      step.refresh ||
      (execution.schedule.scenario.engine === "terraform" &&
        (step.operator === undefined || !isComplete(execution.state))),
  });
  // Without faults, every response shows whether its request was executed.
  const isFaultFree =
    step.faults.length === 0 &&
    !execution.schedule.scenario.cloud.rateLimit &&
    step.events.every(({ action }) => action === "create a rival" || action === "change");
  const interruptions = step.events.flatMap(({ action, at, nth }): Interruption[] => {
    if (action === "create a rival")
      return [
        {
          at,
          when: nth % 2 === 0 ? "before" : "after",
          act: () => compete(execution, run, nth, isFaultFree),
        },
      ];
    const stop = () => run.stop.abort();
    if (action === "stop and lose a request") return [{ at, when: "instead", act: stop }];
    return action === "stop in flight" ? [{ at, when: "after", holdMs: nth * 40, act: stop }] : [];
  });
  network.begin(step.faults.length === 0 ? [] : step.wire, interruptions);
  if (step.otherAccount) await useOtherAccount(execution);
  let after: State | undefined;
  const isTimed = ({ action }: SideEvent) =>
    action !== "create a rival" && action !== "stop in flight" && action !== "stop and lose a request";
  for (const event of step.events.filter(isTimed))
    world.after(event.at, () => {
      execution.report.trace(`  event: ${event.action}`);
      if (event.action === "stop") run.stop.abort();
      else if (event.action === "suspend") world.suspend(event.nth * 60_000);
      else if (
        event.action === "change" ||
        event.action === "delete" ||
        event.action === "make a foreign object"
      )
        interfere(execution, event, saved);
      else {
        if (event.action === "kill the engine") after = copyOf(execution.state);
        // Pulumi saves the state after every operation.
        if (event.action === "kill the engine before it saves")
          after = run.engine === "pulumi" ? copyOf(execution.state) : saved;
        run.process.kill();
      }
    });
  const failures = await applyAndTidy(execution, run);
  world.cancelEvents();
  const isKilled = !run.process.alive();
  execution.faults += emulator.faults.list().reduce((sum, { hits }) => sum + hits, 0);
  emulator.faults.clear();
  if (after !== undefined) {
    execution.checker.lost(execution.state, after);
    execution.state = after;
  }
  // Listings must show an equal object before the next run, which could confuse it with one whose response was lost.
  const { isEqualled } = execution;
  execution.isEqualled = false;
  if (isKilled || failures.some(mayExist) || isEqualled || execution.schedule.scenario.world === "kind")
    await pause(execution);
  if (step.lateRivals && failures.some(mayExist)) await competeLater(execution, step.stack);
  if (!isKilled) checkAfterStop(execution, failures);
  network.begin([]);
  if (failures.length === 0 && !isKilled && step.refreshAfter)
    await refresh(begin(execution, { stack: step.stack }));
  if (failures.length === 0) return isKilled;
  const { adopt } = await followRemedies(begin(execution, { stack: step.stack }), failures, truth);
  execution.adoptExisting ||= adopt;
  return isKilled || adopt;
}

/** Returns true if the error says that an object may exist: the next run begins once listings have caught up. */
const mayExist = ({ error }: Failure): boolean =>
  !(error instanceof OperationError) || ["may exist", "may be billed"].includes(error.existence.is);

/** Checks that each object whose response arrived soon after a stop is in the state, or that an error named it (I3). */
function checkAfterStop({ network, state, truth, report }: Execution, failures: readonly Failure[]): void {
  const known = idsOf(state);
  const texts = failures.map(({ error }) => explain(error).detail);
  for (const krn of network.afterStop) {
    const row = truth.rows().find((one) => one.krn === krn);
    const names = row === undefined ? [] : namesOf(row);
    if (row === undefined || names.some((name) => known.has(name))) continue;
    if (!texts.some((text) => names.some((name) => text.includes(name))))
      report.violation("I3", `${krn} was created, and its response arrived in time after the stop`);
  }
}

/** Waits until every delayed request has arrived and listings show its effect. */
const pause = ({ world, schedule }: Execution): Promise<void> =>
  world.sleep(inFlightMs + (schedule.scenario.cloud.listingLagMs ?? 0) + 3 * schedule.scenario.latencyMs);

/**
 * Applies without faults until a run succeeds, and follows the remedies of errors in between; then checks that no change is
 * planned (I9). Returns false if a change is planned, after two failed runs in which the operator had nothing to do, and
 * after twelve runs.
 */
async function converge(execution: Execution, wanted: readonly Item[]): Promise<boolean> {
  let stack = wanted;
  const { emulator, truth, report, schedule, world } = execution;
  emulator.configure({ taskMs: Math.min(60_000, schedule.scenario.cloud.taskMs ?? 0) });
  // Tasks in progress keep their duration when the setting changes.
  const ends = Math.max(0, ...truth.rows().flatMap(({ work, goneAt = 0 }) => [work.endsAt, goneAt]));
  if (ends > world.now()) await world.sleep(ends - world.now());
  await pause(execution);
  for (const { krn, kind } of truth.rows())
    if (kind !== "network" && !truth.isOurs(krn) && truth.exists(krn)) emulator.inventory.remove(krn);
  // Until then a refresh keeps a new object that another user deleted, and a listing may show the object.
  const lagMs = schedule.scenario.cloud.listingLagMs ?? 0;
  if (schedule.scenario.world !== "kind") await world.sleep(settleMs - inFlightMs + lagMs);
  let failures: Failure[] = [];
  for (let failedRounds = 0, rounds = 0; failedRounds < 2 && rounds < 12; rounds++) {
    const run = begin(execution, { stack });
    failures = await applyAndTidy(execution, run);
    if (failures.length === 0) return isEmpty(execution, run);
    await pause(execution);
    const remedies = await followRemedies(begin(execution, { stack }), failures, truth);
    const { acted, adopt, slow, rename, set } = remedies;
    if (acted) await pause(execution);
    const isSet = (adopt && !execution.adoptExisting) || (slow && !execution.slow);
    if (!acted && rename.size === 0 && set.size === 0 && !isSet) failedRounds += 1;
    execution.adoptExisting ||= adopt;
    execution.slow ||= slow;
    stack = corrected(stack, remedies, Math.round(world.now() - manualStart));
  }
  for (const { address } of failures)
    report.violation("I9", `${address} fails without a fault, and no remedy resolves the error`);
  return false;
}

/** Returns true if two plans are empty: after the apply, and after a refresh. */
async function isEmpty(execution: Execution, run: Run): Promise<boolean> {
  const { report } = execution;
  const check = (when: string): boolean => {
    const changes = plan(run);
    for (const { address, action, plan } of changes)
      report.violation("I9", `a plan ${when} would ${action} ${address}: ${JSON.stringify(plan?.changes)}`);
    return changes.length === 0;
  };
  if (!check("after the apply")) return false;
  // A delayed listing shows an object as it was during its create.
  await pause(execution);
  const failures = await refresh(run);
  for (const { address } of failures) report.violation("I9", `${address} cannot be read`);
  if (failures.length > 0 || !check("after a refresh")) return false;
  if (execution.schedule.scenario.world !== "beyond") await checkOmissions(execution, run);
  return true;
}

/**
 * Plans with another spelling of groups in which nothing is set, then refreshes several times while one response omits a
 * field: no plan changes anything (I16).
 */
async function checkOmissions({ network, report, schedule, state }: Execution, run: Run): Promise<void> {
  for (const { address, action, plan: planned } of plan({ ...run, stack: withOtherGroups(run.stack) }))
    report.violation(
      "I16",
      `with another spelling of groups in which nothing is set, a plan would ${action} ${address}: ${JSON.stringify(planned?.changes)}`,
    );
  const draw = createDraw(schedule.seed).fork("omissions");
  for (let count = 0; count < omissions && state.kept.size > 0; count++) {
    network.omit(draw.int(1, 2 * state.kept.size), draw);
    const copy = { ...run, state: copyOf(state) };
    if ((await refresh(copy)).length > 0) continue;
    for (const { address, action, plan: planned } of plan(copy))
      report.violation(
        "I16",
        `after an incomplete response a plan would ${action} ${address}: ${JSON.stringify(planned?.changes)}`,
      );
  }
  network.begin([]);
}

/** Creates, as another user, an object with the name of one that the run is creating; the settings differ or are equal. */
function compete(execution: Execution, { creating, process }: Run, nth: number, isFaultFree: boolean): void {
  const { state, schedule } = execution;
  const items = [...creating];
  const item = items[nth % Math.max(1, items.length)];
  if (item === undefined || !process.alive()) return;
  const seed = `${schedule.seed}/rival/${nth}`;
  const isEqual =
    nth % equalRival === 0 &&
    (schedule.scenario.world === "beyond" || (isFaultFree && hasUniqueName(schedule.scenario, item)));
  const idOf = (address: string) => state.kept.get(address)?.state.id;
  const inputs = isEqual ? equalInputs(item, idOf) : rivalInputs(item, seed, idOf);
  if (inputs === undefined) return;
  execution.isEqualled ||= isEqual && schedule.scenario.world === "shared";
  void createForeign(execution, item, inputs);
}

/**
 * Creates, as another user, equal objects for all addresses of the stack whose object is not known, later than
 * `settle_seconds` after the run; then waits until listings show them.
 */
async function competeLater(execution: Execution, stack: readonly Item[]): Promise<void> {
  const { state, world } = execution;
  await world.sleep(settleMs);
  const idOf = (address: string) => state.kept.get(address)?.state.id;
  for (const item of stack.filter(({ address }) => idOf(address) === undefined)) {
    const inputs = equalInputs(item, idOf);
    if (inputs !== undefined) await createForeign(execution, item, inputs);
  }
  await pause(execution);
}

/** Sends the create request of another user. */
function createForeign(execution: Execution, item: Item, inputs: Values): Promise<void> {
  const { schedule, network, report, world } = execution;
  report.trace(`  another user creates ${item.resource} ${JSON.stringify(inputs)}`);
  const place = { ...execution, scenario: schedule.scenario };
  const session = sessionOf(place, world.process([]), network.otherUserTransport(inputs), "none");
  return createRival(session, item.resource, inputs);
}

/** Kinds whose names are unique in their scope if the API rejects equal names. Names of other kinds always are, or never. */
const named = new Set(["vpc", "subnet", "security-group", "volume", "instance", "port"]);

const hasUniqueName = ({ cloud }: Scenario, { resource }: Item): boolean =>
  resource === "bucket" ||
  resource === "ssh-key" ||
  (cloud.assume?.equalNames === false && named.has(resource));

const otherOwner = { account: "999999999999", customer: "99999999-9999-4999-8999-999999999999" };

/**
 * Refreshes a copy of the state with the credentials of another account, which shows none of its objects, then destroys
 * another copy: nothing may leave the state (I4).
 */
async function useOtherAccount(execution: Execution): Promise<void> {
  const { world, report, leaks, schedule, checker } = execution;
  if (execution.state.kept.size === 0) return;
  report.trace("  with the credentials of another account:");
  const { cloud, latencyMs, otpRequired: passwordsDue, world: name } = schedule.scenario;
  const settings = { ...cloud, ...otherOwner, clock: world, seed: schedule.seed, apiKey: secrets.apiKey };
  const emulator = createEmulator(settings);
  const truth = createGroundTruth(emulator, report, name, world.now);
  const draw = createDraw(schedule.seed).fork("other account");
  const network = createNetwork(world, emulator, truth, { draw, latencyMs, passwordsDue, report, leaks });
  const process = processOf(execution);
  const party = {
    made: new Set<string>(),
    holds: () => false,
    replaces: () => false,
    adopts: () => false,
    shows: () => false,
    acceptsUntil: () => Number.NEGATIVE_INFINITY,
  };
  const place = { ...execution, scenario: schedule.scenario, emulator, owner: otherOwner };
  const session = sessionOf(place, process, network.transport(process, party), "none");
  const { engine, parallelism } = schedule.scenario;
  const run = {
    ...{ engine, provider: providerOf(session), session, process, checker, stack: [], parallelism },
    ...{
      refresh: false,
      previews: false,
      timeout: undefined,
      stop: new AbortController(),
      creating: new Set<Item>(),
      shown: [],
      warnings: [],
    },
  };
  await refresh({ ...run, state: copyOf(execution.state) });
  await apply({ ...run, state: copyOf(execution.state) });
}

/** Returns true if the last run left nothing to finish. Users of Terraform then apply without a refresh. */
const isComplete = ({ kept, replaced }: State): boolean =>
  replaced.size === 0 &&
  [...kept.values()].every(({ tainted, state: { id } }) => !tainted && id !== undefined);

/** Returns true if a planned change is one of this part of an object. All tags of an object are one field in the API. */
function isPart({ path, before, after }: Plan["changes"][number], { field, entry }: Part): boolean {
  const name = path[0] === "tagsAll" ? "tags" : String(path[0]);
  if (name !== field) return false;
  const key = JSON.stringify([field, entry]);
  const [old, next] = [partsOf(field, before).get(key), partsOf(field, after).get(key)];
  return entry === undefined || old?.text !== next?.text;
}

/**
 * Changes fields of half of the objects in the state, as an operator in the console, once all earlier writes have
 * settled. A read shows the changes before the next run begins.
 */
async function operate(execution: Execution, nth: number): Promise<void> {
  const { world, truth, emulator, schedule, report, state } = execution;
  await pause(execution);
  await world.sleep(settleMs);
  const draw = createDraw(`${schedule.seed}/operator/${nth}`);
  const known = idsOf(state);
  for (const row of truth.rows()) {
    if (!namesOf(row).some((name) => known.has(name)) || draw.chance(0.5)) continue;
    const change = driftOf(row, draw);
    if (change === undefined) continue;
    report.trace(`  the operator changes ${JSON.stringify(change)} of the ${row.kind} ${row.name}`);
    emulator.inventory.change(row.krn, change);
  }
}

/** Returns a change of an object by another user; undefined for a kind without one. */
const driftOf = (row: Row, draw: Draw): Readonly<Record<string, unknown>> | undefined =>
  Object.entries(kinds)
    .find(([name]) => kindOf(name) === row.kind)?.[1]
    .drift?.(draw, row);

/** Changes or deletes an object, or creates a foreign one, as another user of the account. */
function interfere(
  { truth, emulator, schedule }: Execution,
  { action: does, nth }: SideEvent,
  saved: State,
): void {
  const known = idsOf(saved);
  const rows = truth.rows().filter((row) => namesOf(row).some((name) => known.has(name)));
  const row = rows[nth % Math.max(1, rows.length)];
  if (does === "make a foreign object") foreign(emulator, row?.kind === "vpc" ? row.krn : undefined);
  else if (row !== undefined && does === "delete") emulator.inventory.remove(row.krn);
  else if (row !== undefined) {
    const change = driftOf(row, createDraw(`${schedule.seed}/${nth}`));
    if (change !== undefined) emulator.inventory.change(row.krn, change);
  }
}
