import { type RunResult, runSchedule } from "./run.ts";
import { type Schedule, type Step, without } from "./schedule.ts";

const mostTries = 400;

/**
 * Returns the smallest schedule found that breaks the same invariant: leaves out everything that the violation does not
 * need.
 */
export async function shrink(
  schedule: Schedule,
  outcome: RunResult,
): Promise<{ schedule: Schedule; outcome: RunResult }> {
  const broken = outcome.violations[0]?.invariant;
  let smallest = { schedule, outcome };
  let tries = 0;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of smaller(smallest.schedule)) {
      tries += 1;
      if (tries > mostTries) return smallest;
      const tried = await runSchedule(candidate);
      if (tried.violations[0]?.invariant !== broken) continue;
      smallest = { schedule: candidate, outcome: tried };
      found = true;
      break;
    }
  }
  return smallest;
}

/** Yields each schedule without one step, fault, event, address or condition of the given one. */
function* smaller(schedule: Schedule): Generator<Schedule> {
  const { steps, scenario } = schedule;
  if (steps.length > 1) for (const at of steps.keys()) yield { ...schedule, steps: steps.toSpliced(at, 1) };
  for (const [at, step] of steps.entries())
    for (const less of smallerStep(step)) yield { ...schedule, steps: steps.with(at, less) };
  for (const address of new Set(steps.flatMap(({ stack }) => stack.map((item) => item.address))))
    yield { ...schedule, steps: steps.map((step) => ({ ...step, stack: without(step.stack, address) })) };
  const { latencyMs, maxRequestsPerSecond, cloud } = scenario;
  const calmer = (change: Partial<typeof scenario>): Schedule => ({
    ...schedule,
    scenario: { ...scenario, ...change },
  });
  if (latencyMs > 0) yield calmer({ latencyMs: 0 });
  if (maxRequestsPerSecond > 0) yield calmer({ maxRequestsPerSecond: 0 });
  for (const name of ["listingLagMs", "rateLimit"] as const)
    if ((cloud[name] ?? 0) > 0) yield calmer({ cloud: { ...cloud, [name]: 0 } });
}

function* smallerStep(step: Step): Generator<Step> {
  for (const name of ["faults", "wire", "events"] as const)
    for (const at of step[name].keys()) yield { ...step, [name]: (step[name] as unknown[]).toSpliced(at, 1) };
  if (step.timeout !== undefined) yield { ...step, timeout: undefined };
  if (step.operator !== undefined) yield { ...step, operator: undefined };
}
