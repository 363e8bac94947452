import type { ReportGraph } from "../../report/report.ts";
import type { PageChange } from "./data.ts";
import { addTo } from "./group.ts";
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

const needs = new Map<number, number[]>();
const users = new Map<number, number[]>();

for (const [from = 0, to = 0] of report.graph.edges) {
  addTo(needs, from, to);
  addTo(users, to, from);
}

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
