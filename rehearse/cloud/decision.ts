import type { Execution } from "../../emulator/emulator.ts";

/** Assumptions of the emulator that decided what happened to an object of the plan. */

/** Object of the plan with its ids before and after the apply. */
export interface Target {
  readonly address: string;
  readonly ids: readonly string[];
  readonly isFailed: boolean;
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Returns the UUIDs of the objects in ids, which may be KRNs: the last UUID of each one. */
const objectsIn = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => id.split(/[^\w:.-]+/)).flatMap((word) => word.match(uuid)?.at(-1)?.toLowerCase() ?? []);

/**
 * Returns the assumptions of each object by its address. Those of a rejected request that names no object of the plan, such as a
 * create, count for every object that failed.
 */
export function assumptionsOf(
  targets: readonly Target[],
  executions: readonly Execution[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map(targets.map(({ address }) => [address, new Set<string>()]));
  const byObject = new Map<string, string[]>();
  for (const { address, ids } of targets)
    for (const object of objectsIn(ids)) byObject.set(object, [...(byObject.get(object) ?? []), address]);
  const failed = targets.filter(({ isFailed }) => isFailed).map(({ address }) => address);
  for (const { objects, decisions, status } of executions) {
    if (decisions.length === 0) continue;
    const named = objectsIn(objects).flatMap((object) => byObject.get(object) ?? []);
    const addresses = named.length === 0 && status >= 400 ? failed : named;
    for (const address of addresses) for (const decision of decisions) found.get(address)?.add(decision);
  }
  return new Map([...found].map(([address, decisions]) => [address, [...decisions].toSorted()]));
}
