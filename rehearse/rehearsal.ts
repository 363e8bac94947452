import { entriesOf } from "../account/seed/entry.ts";
import type { Entry, Row } from "../account/seed/row.ts";
import { seedOf } from "../account/seed/seed.ts";
import type { StateFile } from "../account/state/recorded.ts";
import { readState } from "../account/state/state.ts";
import { createEmulator, type Emulator, parseInventory } from "../emulator/emulator.ts";
import { reveal, type Values } from "../provider/core/value.ts";
import { type Change, creates, destroys, isEffective } from "../review/model/change.ts";
import type { Plan } from "../review/model/plan.ts";
import type { Rehearsal, RehearsedObject } from "../review/model/rehearsal.ts";
import { approvalOf } from "../review/report/digest.ts";
import { courseOf, type Observation, observe } from "./cloud/observe.ts";
import type { Applied, Engine } from "./engine/engine.ts";
import { longestPath, relatedIn } from "./path.ts";

/** Emulator of a rehearsal, at an address. */
export interface World {
  readonly emulator: Emulator;
  readonly url: string;
  /** Observations after each request that changed something, the oldest first. */
  readonly observations: Observation[];
  close(): Promise<void>;
}

/** Opens an emulator without objects. */
export async function openWorld(): Promise<World> {
  const observations: Observation[] = [];
  const emulator = createEmulator({
    taskMs: 20,
    write: () => {
      const executed = emulator.log.entries().at(-1);
      if (executed?.method !== "GET" || executed.operation?.startsWith("delete"))
        observations.push(observe(emulator));
    },
  });
  const { url, close } = await emulator.listen();
  return { emulator, url, observations, close };
}

/** Loads the objects of the states, of an inventory, and what planned objects use. Returns the assumed facts. */
export function seedWorld(
  { emulator }: World,
  states: readonly StateFile[],
  { known = [], plan }: { readonly known?: readonly Row[]; readonly plan?: Plan },
): readonly string[] {
  const used = (plan?.changes ?? []).flatMap(usedBy);
  const { inventory, assumed } = seedOf(entriesOf(states), { known, used });
  emulator.load(parseInventory(JSON.parse(JSON.stringify(inventory))));
  return assumed;
}

/** Returns the planned values of an object that will be created or changed. */
function usedBy(change: Change): Entry[] {
  if (change.resource === undefined || change.after === undefined || !isEffective(change)) return [];
  const values = reveal(change.after) as Values;
  const region = typeof values.region === "string" ? values.region : "";
  return [{ kind: change.resource.name, id: "", region, values }];
}

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
  // The requests of a plan change nothing.
  world.observations.splice(0);
  world.observations.push(observe(world.emulator));
  const applied = await engine.apply("rehearsed");
  world.observations.push(observe(world.emulator));
  const after = readState(await engine.state());
  const second = applied.isComplete ? await engine.plan("second") : undefined;
  const { interrupted, absent } = courseOf(world.observations);
  return {
    version: 1,
    engine: { name: engine.name, version: engine.version },
    approval: approvalOf([given ?? plan], undefined).digest,
    isComplete: applied.isComplete,
    steps: [...applied.steps],
    longestPath: longestPath(applied.steps, relatedIn([...states, after])),
    objects: plan.changes
      .filter(({ action }) => action !== "read")
      .map((change) => ({
        address: change.address,
        kind: change.resource?.name ?? change.type,
        class: classOf(change, applied),
        isInterrupted: change.id !== undefined && interrupted.includes(change.id),
        assumptions: [],
      })),
    absent: [...absent],
    errors: applied.errors,
    secondPlan: second?.changes.filter(isEffective).map(({ address }) => address),
    assumed: [...assumed],
    unknown: [],
    differences: given === undefined ? [] : differencesBetween(given, plan),
  };
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
