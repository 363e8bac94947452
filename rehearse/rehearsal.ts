import type { Row } from "../account/seed/row.ts";
import type { StateFile } from "../account/state/recorded.ts";
import { readState } from "../account/state/state.ts";
import { type Change, creates, destroys, isEffective } from "../review/model/change.ts";
import type { Plan } from "../review/model/plan.ts";
import { redactionOf } from "../review/model/redaction.ts";
import type { Rehearsal, RehearsedObject } from "../review/model/rehearsal.ts";
import { readPlan } from "../review/read/read.ts";
import { approvalOf } from "../review/report/digest.ts";
import { assumptionsOf } from "./cloud/decision.ts";
import { courseOf, observe } from "./cloud/observe.ts";
import { seedWorld, startObserving, usesMore, type World } from "./cloud/world.ts";
import { differencesBetween } from "./difference.ts";
import { drill } from "./drill.ts";
import type { Applied, Engine } from "./engine/engine.ts";
import { longestPath, relatedIn } from "./path.ts";
import { secondsOf, type Times } from "./times.ts";

export interface RehearseOptions {
  readonly states: readonly StateFile[];
  readonly known?: readonly Row[];
  /** Plan that was reviewed. */
  readonly given?: Plan | undefined;
  /** Measured durations. */
  readonly times?: Times | undefined;
  /** Seed of the drill of faults; undefined for none. */
  readonly drillSeed?: number | undefined;
}

/** Plans, applies and plans again in the world. Throws `RehearsalError` if the engine cannot make the first plan. */
export async function rehearse(engine: Engine, world: World, options: RehearseOptions): Promise<Rehearsal> {
  const { given, drillSeed } = options;
  const { name, plan, assumed, seed } = await firstPlan(engine, world, options);
  startObserving(world);
  const applied = await engine.apply(name);
  world.observations.push(observe(world.emulator));
  const after = readState(await engine.state());
  const second = applied.isComplete ? await engine.plan("second") : undefined;
  const secondPlan = second && [
    ...second.changes.filter(isEffective).map(({ address }) => address),
    ...second.outputs.map(({ name }) => `output.${name}`),
  ];
  const outcome = outcomeOf(plan, applied, after, world, options);
  const restart = async () => {
    await engine.reset();
    seed();
  };
  const { emulator, executions } = world;
  // Without a fault, the change must converge.
  const isDrilled = drillSeed !== undefined && secondPlan?.length === 0;
  const runs = isDrilled
    ? await drill(engine, { seed: drillSeed, emulator, executions: [...executions], restart })
    : [];
  return {
    version: 1,
    engine: { name: engine.name, version: engine.version },
    approval: approvalOf([given ?? plan], undefined).digest,
    ...outcome,
    ...(secondPlan && { secondPlan }),
    assumed: [...assumed],
    unknown: unknownTo(plan),
    differences: given === undefined ? [] : differencesBetween(given, plan),
    ...(isDrilled && { drill: { seed: drillSeed, runs } }),
  };
}

/** Plan of a change, and the seed of the world for which it was made. */
interface FirstPlan {
  readonly name: string;
  readonly plan: Plan;
  readonly text: string;
  readonly assumed: ReturnType<typeof seedWorld>;
  readonly seed: () => ReturnType<typeof seedWorld>;
}

/** Plans in the world, which then has the objects outside of all states to which the plan refers, such as an image. Throws `RehearsalError`. */
export async function firstPlan(
  engine: Engine,
  world: World,
  { states, known = [] }: Pick<RehearseOptions, "states" | "known">,
): Promise<FirstPlan> {
  const planned = async (name: string) => {
    const text = await engine.planText(name);
    return { name, text, plan: readPlan(name, text) };
  };
  const first = await planned("first");
  const seed = () => seedWorld(world, states, { known, plan: first.plan });
  const assumed = seed();
  const isExtended = usesMore(states, known, first.plan);
  return { ...(isExtended ? await planned("rehearsed") : first), assumed, seed };
}

/** Returns what the apply did: its steps, its errors, and what happened to the objects. */
function outcomeOf(
  plan: Plan,
  applied: Applied,
  after: StateFile,
  { observations, executions }: World,
  { states, times }: RehearseOptions,
): Pick<Rehearsal, "isComplete" | "steps" | "longestPath" | "objects" | "absent" | "errors"> {
  const { interrupted, absent } = courseOf(observations);
  const changes = plan.changes.filter(({ action }) => action !== "read");
  const ids = new Map(after.objects.map(({ address, state }) => [address, state.id]));
  const objects = changes.map((change) => ({
    address: change.address,
    kind: change.resource?.name ?? change.type,
    class: classOf(change, applied),
    ids: [change.id, ids.get(change.address)].filter((id) => id !== undefined),
  }));
  const targets = objects.map(({ address, ids, class: effect }) => ({
    address,
    ids,
    isFailed: effect === "failed",
  }));
  const { redact } = redactionOf([plan]);
  const assumptions = assumptionsOf(targets, executions);
  const kinds = new Map(objects.map(({ address, kind }) => [address, kind]));
  const steps = applied.steps.map((step) => {
    const seconds = times && secondsOf(times, kinds.get(step.address) ?? "", step.action);
    return { ...step, ...(seconds !== undefined && { seconds }) };
  });
  return {
    isComplete: applied.isComplete,
    steps,
    longestPath: longestPath(steps, relatedIn([...states, after])),
    objects: objects.map(({ ids, ...object }) => ({
      ...object,
      isInterrupted: ids.some((id) => interrupted.includes(id)),
      assumptions: [...(assumptions.get(object.address) ?? [])],
    })),
    absent: [...absent],
    // The API quotes values of a request.
    errors: applied.errors.map(({ text, ...error }) => ({ ...error, text: redact(text) })),
  };
}

/** Returns the limits of the cloud on which the creates of a plan depend, and which no emulator knows. */
function unknownTo(plan: Plan): string[] {
  const created = plan.changes.filter((change) => creates(change) && change.resource !== undefined);
  if (created.length === 0) return [];
  const counts = Map.groupBy(created, ({ resource }) => resource?.name);
  const texts = [...counts].map(([kind, { length }]) => `${length} ${kind}`);
  return [`quotas, capacity and prices for what is created: ${texts.toSorted().join(", ")}`];
}

function classOf(change: Change, { steps, errors }: Applied): RehearsedObject["class"] {
  // An object that the state forgets stays as it is.
  if (!isEffective(change) || change.action === "none" || change.action === "forget") return "untouched";
  const ofObject = steps.filter(({ address }) => address === change.address);
  if (
    ofObject.some(({ result }) => result === "failed") ||
    errors.some(({ address }) => address === change.address)
  )
    return "failed";
  if (ofObject.length === 0) return "not reached";
  // A new object that was not reached leaves the old one destroyed.
  if (change.action === "replace" && ofObject.length > 1) return "replaced";
  if (change.action === "replace") return ofObject[0]?.action === "delete" ? "destroyed" : "failed";
  if (creates(change)) return "created";
  return destroys(change) ? "destroyed" : "changed";
}
