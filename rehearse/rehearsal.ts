import type { Row } from "../account/seed/row.ts";
import type { StateFile } from "../account/state/recorded.ts";
import { readState } from "../account/state/state.ts";
import { type Change, creates, destroys, isEffective } from "../review/model/change.ts";
import type { Plan } from "../review/model/plan.ts";
import type { Rehearsal, RehearsedObject } from "../review/model/rehearsal.ts";
import { approvalOf } from "../review/report/digest.ts";
import { assumptionsOf } from "./cloud/decision.ts";
import { courseOf, observe } from "./cloud/observe.ts";
import { seedWorld, startObserving, type World } from "./cloud/world.ts";
import type { Applied, Engine } from "./engine/engine.ts";
import { longestPath, relatedIn } from "./path.ts";

export interface RehearseOptions {
  readonly states: readonly StateFile[];
  readonly known?: readonly Row[];
  /** Plan that was reviewed. */
  readonly given?: Plan | undefined;
}

/** Plans, applies and plans again in the world. Throws `RehearsalError` if the engine cannot make the first plan. */
export async function rehearse(
  engine: Engine,
  world: World,
  { states, known = [], given }: RehearseOptions,
): Promise<Rehearsal> {
  const first = await engine.plan("first");
  // The second seed also has the objects outside of all states to which the plan refers, such as an image.
  const assumed = seedWorld(world, states, { known, plan: first });
  const plan = await engine.plan("rehearsed");
  startObserving(world);
  const applied = await engine.apply("rehearsed");
  world.observations.push(observe(world.emulator));
  const after = readState(await engine.state());
  const second = applied.isComplete ? await engine.plan("second") : undefined;
  const { interrupted, absent } = courseOf(world.observations);
  const changes = plan.changes.filter(({ action }) => action !== "read");
  const ids = new Map(after.objects.map(({ address, state }) => [address, state.id]));
  const targets = changes.map((change) => ({
    address: change.address,
    ids: [change.id, ids.get(change.address)].filter((id) => id !== undefined),
    isFailed: classOf(change, applied) === "failed",
  }));
  const assumptions = assumptionsOf(targets, world.executions);
  return {
    version: 1,
    engine: { name: engine.name, version: engine.version },
    approval: approvalOf([given ?? plan], undefined).digest,
    isComplete: applied.isComplete,
    steps: [...applied.steps],
    longestPath: longestPath(applied.steps, relatedIn([...states, after])),
    objects: changes.map((change) => ({
      address: change.address,
      kind: change.resource?.name ?? change.type,
      class: classOf(change, applied),
      isInterrupted: change.id !== undefined && interrupted.includes(change.id),
      assumptions: [...(assumptions.get(change.address) ?? [])],
    })),
    absent: [...absent],
    errors: applied.errors,
    secondPlan: second?.changes.filter(isEffective).map(({ address }) => address),
    assumed: [...assumed],
    unknown: unknownTo(plan),
    differences: given === undefined ? [] : differencesBetween(given, plan),
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
  if (!isEffective(change) || change.action === "none") return "untouched";
  const own = steps.filter(({ address }) => address === change.address);
  if (
    own.some(({ result }) => result === "failed") ||
    errors.some(({ address }) => address === change.address)
  )
    return "failed";
  if (own.length === 0 && change.action !== "forget") return "not reached";
  if (change.action === "replace") return own.length < 2 ? "failed" : "replaced";
  if (creates(change)) return "created";
  return destroys(change) ? "destroyed" : "changed";
}

/** Returns the objects on which two plans have different effects. */
function differencesBetween(given: Plan, plan: Plan): string[] {
  const actions = (changes: readonly Change[]) =>
    new Map(changes.filter(isEffective).map(({ address, action }) => [address, action]));
  const [before, after] = [actions(given.changes), actions(plan.changes)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((address) => before.get(address) !== after.get(address))
    .map(
      (address) =>
        `${address}: ${before.get(address) ?? "nothing"} in the given plan, ${after.get(address) ?? "nothing"} in the rehearsed one`,
    )
    .toSorted();
}
