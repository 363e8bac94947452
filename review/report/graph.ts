import { type Change, kindOfChange } from "../model/change.ts";
import type { Relations } from "../model/relation.ts";
import type { ReportGraph } from "./report.ts";
import { visible } from "./value.ts";

/** Maximum number of references in a report. */
const mostEdges = 50_000;

/**
 * Returns the changed objects and their direct neighbours, with the references between them. `effective` are the changes in the
 * order of the report, `all` also contains unchanged objects.
 */
export function graphOf(
  effective: readonly Change[],
  all: readonly Change[],
  relations: Relations,
): ReportGraph {
  const places = new Map(effective.map((change, index) => [change, index]));
  const near = new Set(effective);
  for (const target of all)
    for (const dependent of relations.directDependentsOf(target)) {
      if (places.has(target)) near.add(dependent);
      if (places.has(dependent)) near.add(target);
    }
  const unchanged = [...near].filter((change) => !places.has(change)).toSorted(byName);
  for (const [index, change] of unchanged.entries()) places.set(change, effective.length + index);
  const pairs = [...near].flatMap((target) =>
    relations.directDependentsOf(target).flatMap((dependent) => {
      const [from, to] = [places.get(dependent), places.get(target)];
      return from === undefined || to === undefined ? [] : [[from, to]];
    }),
  );
  return {
    unchanged: unchanged.map((change) => ({
      plan: change.plan,
      address: visible(change.address),
      kind: visible(kindOfChange(change)),
      ...(change.name === undefined ? {} : { name: visible(change.name) }),
    })),
    edges: pairs
      .toSorted(([from = 0, to = 0], [other = 0, another = 0]) => from - other || to - another)
      .slice(0, mostEdges),
    omitted: Math.max(0, pairs.length - mostEdges),
  };
}

const byName = (a: Change, b: Change): number => {
  const [one, other] = [objectKey(a), objectKey(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

const objectKey = ({ plan, address, action, id = "" }: Change): string =>
  JSON.stringify([plan, address, action, id]);
