import { isRecord, type Value, type Values } from "../../provider/core/value.ts";
import { instanceIndex, withoutIndices } from "./address.ts";
import type { Change } from "./change.ts";

/** Dependents of an object. */
export interface Dependents {
  /** Objects that refer to the object: in the configuration, in the program, or by its id in one of their values. */
  readonly direct: readonly Change[];
  /** Transitive dependents, including `direct`. */
  readonly all: readonly Change[];
}

/** Relations between the objects of all plans. */
export interface Relations {
  dependentsOf(change: Change): Dependents;
  /** Returns the `direct` dependents without a search for the transitive ones. */
  directDependentsOf(change: Change): readonly Change[];
  /** Returns the objects that have this id in one of their values; the object with this id may be in no plan. */
  referrersOf(id: string): readonly Change[];
}

/** Finds relations; builds the index at the first call. */
export function relationsOf(changes: readonly Change[]): Relations {
  let index: ReadonlyMap<Change, readonly Change[]> | undefined;
  let byText: ReadonlyMap<string, readonly Change[]> | undefined;
  const known = new Map<Change, Dependents>();
  const dependents = () => {
    index ??= dependentsByChange(changes);
    return index;
  };
  return {
    dependentsOf(change) {
      const found = known.get(change) ?? reach(dependents(), change);
      known.set(change, found);
      return found;
    },
    directDependentsOf: (change) => dependents().get(change) ?? [],
    referrersOf(id) {
      byText ??= changesByText(changes, () => true);
      return byText.get(id) ?? [];
    },
  };
}

/** Returns the objects that contain a text, by the text, for each text that `isAsked` accepts. */
function changesByText(
  changes: readonly Change[],
  isAsked: (text: string) => boolean,
): Map<string, Change[]> {
  const found = new Map<string, Set<Change>>();
  for (const change of changes)
    eachReference(change, (text) => {
      if (text !== change.id && isAsked(text)) found.set(text, (found.get(text) ?? new Set()).add(change));
    });
  return new Map([...found].map(([text, set]) => [text, [...set]]));
}

/**
 * Visits every text in the values of an object, before and after, that can be the id of another one. Skips names and entries of
 * maps such as tags: a tag may equal the name of a bucket by chance.
 */
function eachReference({ resource, before, after }: Change, visit: (text: string) => void): void {
  const each = (values: Values, known?: Values): void => {
    for (const name in values) {
      const value = values[name] ?? null;
      if (value === null || name === "name" || value === known?.[name]) continue;
      const isMap = isRecord(value) && resource?.fields[name]?.kind === "field";
      if (!isMap) eachText(value, visit);
    }
  };
  if (before !== undefined) each(before);
  if (after !== undefined) each(after, before);
}

function reach(index: ReadonlyMap<Change, readonly Change[]>, start: Change): Dependents {
  const direct = index.get(start) ?? [];
  const all = new Set<Change>();
  const queue = [...direct];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (next === start || all.has(next)) continue;
    all.add(next);
    queue.push(...(index.get(next) ?? []));
  }
  return { direct, all: [...all] };
}

/** Returns the objects that refer to each object. */
function dependentsByChange(changes: readonly Change[]): Map<Change, readonly Change[]> {
  const instancesOf = instancesByAddress(changes);
  const ids = new Set<string>();
  for (const { id = "" } of changes) if (id.length >= shortestId) ids.add(id);
  const byText = changesByText(changes, (text) => text.length >= shortestId && ids.has(text));
  const dependents = new Map<Change, Set<Change>>();
  const add = (target: Change, dependent: Change) => {
    if (target === dependent) return;
    const set = dependents.get(target) ?? new Set();
    dependents.set(target, set.add(dependent));
  };
  for (const change of changes) {
    for (const address of change.dependsOn)
      for (const target of instancesOf(change, address)) add(target, change);
    if (change.id !== undefined && change.id.length >= shortestId)
      for (const dependent of byText.get(change.id) ?? []) add(change, dependent);
  }
  return new Map([...dependents].map(([target, set]) => [target, [...set]]));
}

/** Minimum length of an id that counts as a reference where a value equals it. */
const shortestId = 6;

/**
 * Returns a function that finds the instances that an object refers to by an address without indices. The configuration does
 * not show the index: `volume[1]` is assumed to refer to `vpc[1]` and to `vpc`, and an object without an index to all
 * instances.
 */
function instancesByAddress(
  changes: readonly Change[],
): (dependent: Change, address: string) => readonly Change[] {
  let all: Map<string, Change[]> | undefined;
  const indexed = new Map<string, Map<string, Change[]>>();
  return ({ plan, address: source }, address) => {
    const key = `${plan} ${address}`;
    all ??= Map.groupBy(changes, (one) => `${one.plan} ${withoutIndices(one.address)}`);
    const instances = all.get(key) ?? [];
    const index = instanceIndex(source);
    if (index === "" || instances.length === 0) return instances;
    const byIndex = indexed.get(key) ?? Map.groupBy(instances, (one) => instanceIndex(one.address));
    indexed.set(key, byIndex);
    return ["", index].flatMap((wanted) => byIndex.get(wanted) ?? []);
  };
}

/** Visits every text in a value at any depth; skips sensitive values. */
function eachText(value: Value, visit: (text: string) => void): void {
  if (typeof value === "string") visit(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, visit);
  else if (isRecord(value)) for (const part of Object.values(value)) eachText(part, visit);
}
