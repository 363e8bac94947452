import { entriesOf } from "../../account/seed/entry.ts";
import type { Entry, Row } from "../../account/seed/row.ts";
import { seedOf } from "../../account/seed/seed.ts";
import type { StateFile } from "../../account/state/recorded.ts";
import { createEmulator, type Emulator, type Execution, parseInventory } from "../../emulator/emulator.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { type Change, isEffective } from "../../review/model/change.ts";
import type { Plan } from "../../review/model/plan.ts";
import { type Observation, observe } from "./observe.ts";

/** Emulator of a rehearsal, at an address. */
export interface World {
  readonly emulator: Emulator;
  readonly url: string;
  /** Executed requests since the start of the apply, the oldest first. */
  readonly executions: Execution[];
  /** Observations at the start of the apply, and after each request that changes something. */
  readonly observations: Observation[];
  close(): Promise<void>;
}

/** Opens an emulator without objects. */
export async function openWorld(): Promise<World> {
  const executions: Execution[] = [];
  const observations: Observation[] = [];
  const emulator = createEmulator({
    taskMs: 20,
    observe(execution) {
      if (!execution.changes) return;
      executions.push(execution);
      observations.push(observe(emulator));
    },
  });
  const { url, close } = await emulator.listen();
  return { emulator, url, executions, observations, close };
}

/** Loads the objects of the states, of an inventory, and what planned objects use. Returns the assumed facts. */
export function seedWorld(
  { emulator }: World,
  states: readonly StateFile[],
  { known = [], plan }: { readonly known?: readonly Row[]; readonly plan?: Plan },
): readonly string[] {
  const used = (plan?.changes ?? []).flatMap(usedBy);
  const { inventory, assumed } = seedOf(entriesOf(states), { known, used });
  emulator.load(parseInventory(inventory));
  return assumed;
}

/** Returns true if the objects of a plan use others that the states and the inventory lack, so that a seed with the plan has more. */
export function usesMore(states: readonly StateFile[], known: readonly Row[], plan: Plan): boolean {
  const used = plan.changes.flatMap(usedBy);
  if (used.length === 0) return false;
  const entries = entriesOf(states);
  const objectsIn = (more: readonly Entry[]) =>
    JSON.stringify(seedOf(entries, { known, used: more }).inventory.objects);
  return objectsIn(used) !== objectsIn([]);
}

/** Forgets what happened so far. */
export function startObserving({ emulator, executions, observations }: World): void {
  executions.splice(0);
  observations.splice(0, observations.length, observe(emulator));
}

/** Returns the planned values of an object that will be created or changed. */
function usedBy(change: Change): Entry[] {
  if (change.resource === undefined || change.after === undefined || !isEffective(change)) return [];
  const values = reveal(change.after) as Values;
  const region = typeof values.region === "string" ? values.region : "";
  return [{ kind: change.resource.name, id: "", region, values }];
}
