import type { ReportGraph } from "../../report/report.ts";
import type { PageChange } from "./data.ts";
import { report } from "./report.ts";

/** References between objects. An object is a number: its index in the changes followed by the unchanged objects. */

type PageObject = PageChange | ReportGraph["unchanged"][number];

const objects: readonly PageObject[] = [...report.changes, ...report.graph.unchanged];

export const objectCount = objects.length;

export function objectAt(index: number): PageObject {
  const object = objects[index];
  if (object === undefined) throw new Error(`the report has no object ${index}`);
  return object;
}

/** Returns the action of an object; undefined for one that does not change. */
export const actionOf = (object: PageObject): PageChange["action"] | undefined =>
  "action" in object ? object.action : undefined;

/** Returns the objects at one end of the references, by the object at the other end. */
function objectsBy(end: 0 | 1): ReadonlyMap<number, readonly number[]> {
  const edges = Map.groupBy(report.graph.edges, (edge) => edge[end] ?? 0);
  return new Map([...edges].map(([index, group]) => [index, group.map((edge) => edge[1 - end] ?? 0)]));
}

const needs = objectsBy(0);
const users = objectsBy(1);

/** Returns the objects that an object refers to. */
export const needsOf = (index: number): readonly number[] => needs.get(index) ?? [];

/** Returns the objects that refer to an object. */
export const usersOf = (index: number): readonly number[] => users.get(index) ?? [];

/** Returns the related objects of one object, nearest first, limited to a legible number. */
export function relatedTo(start: number): readonly number[] {
  const found = new Set([start]);
  for (const near of [needsOf, usersOf]) {
    let edge = [start];
    for (let steps = 0; steps < 3; steps++) {
      edge = [...new Set(edge.flatMap((index) => near(index).slice(0, 12)))]
        .filter((index) => !found.has(index))
        .slice(0, 12);
      for (const index of edge) found.add(index);
    }
  }
  return [...found];
}
