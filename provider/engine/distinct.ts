import { comparable } from "../core/krn.ts";
import { reveal, type Values } from "../core/value.ts";
import type { Warning } from "../core/warning.ts";
import type { Resource } from "../definition/resource.ts";
import type { Session } from "./session.ts";

/**
 * Records the value of a field that should be distinct (`Resource.distinct`), by the parents of the planned object. Returns a
 * warning if another object of this configuration has the value, and one of both is created.
 */
export function planDistinct(
  { plans: { distinctValues } }: Session,
  { name, distinct, parents = [] }: Resource,
  inputs: Values,
  isCreated: boolean,
): Warning[] {
  if (distinct === undefined) return [];
  const { field, within } = distinct;
  const [value, place, ...above] = [field, within, ...parents].map((each) => reveal(inputs[each] ?? null));
  if (typeof value !== "string" || typeof place !== "string") return [];
  if (!above.every((parent) => typeof parent === "string")) return [];
  const key = JSON.stringify([name, comparable(place), value]);
  const owner = JSON.stringify(above.map(comparable));
  const owners = distinctValues.get(key) ?? new Map<string, boolean>();
  distinctValues.set(key, owners.set(owner, isCreated));
  const isRepeated = owners.size > 1 && [...owners.values()].includes(true);
  return isRepeated ? [{ code: "not-distinct", field, value, within }] : [];
}
