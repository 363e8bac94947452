import { needsOf, usersOf } from "./reference.ts";

/** Layout of a diagram: groups of connected objects, each in columns, and the references to draw. */

/** Returns the groups of objects that are connected within the diagram. */
export function groupsOf(members: readonly number[]): readonly (readonly number[])[] {
  const inside = new Set(members);
  const placed = new Set<number>();
  return members.flatMap((first) => {
    const group = placed.has(first) ? [] : [first];
    placed.add(first);
    for (const index of group)
      for (const other of [...needsOf(index), ...usersOf(index)])
        if (inside.has(other) && !placed.has(other)) {
          placed.add(other);
          group.push(other);
        }
    return group.length > 0 ? [group] : [];
  });
}

/**
 * Returns the columns of a group: each object is to the right of the objects that it refers to. References that close a cycle
 * are ignored.
 */
export function columnsOf(members: readonly number[]): readonly (readonly number[])[] {
  const columns = Map.groupBy(members, depthsOf(members));
  const sorted = [...columns.keys()].sort((a, b) => a - b).map((depth) => columns.get(depth) ?? []);
  sortRows(sorted, new Set(members));
  return sorted;
}

/** Returns a function that returns the column of an object. */
function depthsOf(members: readonly number[]): (index: number) => number {
  const inside = new Set(members);
  const depths = new Map<number, number>();
  const depthOf = (index: number): number => depths.get(index) ?? 0;
  const visit = (index: number): number => {
    const known = depths.get(index);
    if (known !== undefined) return known;
    depths.set(index, -1);
    let depth = 0;
    for (const to of needsOf(index)) if (inside.has(to)) depth = Math.max(depth, visit(to) + 1);
    depths.set(index, depth);
    return depth;
  };
  for (const index of members) visit(index);
  // Moves objects close to their referrers, so that few references cross others.
  for (const index of [...members].sort((a, b) => depthOf(b) - depthOf(a))) {
    const next = Math.min(
      ...usersOf(index)
        .filter((user) => inside.has(user))
        .map(depthOf),
    );
    if (next < Number.POSITIVE_INFINITY && next - 1 > depthOf(index)) depths.set(index, next - 1);
  }
  return depthOf;
}

/** Sorts the objects of each column by the rows of the objects to which they are connected. */
function sortRows(columns: readonly number[][], inside: ReadonlySet<number>): void {
  const rows = new Map<number, number>();
  const rowOf = (index: number): number => rows.get(index) ?? 0;
  const number = (column: readonly number[]): void =>
    column.forEach((index, row) => {
      rows.set(index, row - column.length / 2);
    });
  columns.forEach(number);
  const middle = (index: number, near: (index: number) => readonly number[]): number => {
    const known = near(index).filter((other) => inside.has(other));
    return known.length === 0
      ? rowOf(index)
      : known.reduce((sum, other) => sum + rowOf(other), 0) / known.length;
  };
  for (let round = 0; round < 4; round++)
    for (const column of round % 2 === 0 ? columns : columns.toReversed()) {
      const near = round % 2 === 0 ? needsOf : usersOf;
      const aims = new Map(column.map((index) => [index, middle(index, near)]));
      column.sort((a, b) => (aims.get(a) ?? 0) - (aims.get(b) ?? 0));
      number(column);
    }
}

/** Returns the references of an object without those that follow from others in the diagram. */
export function drawnOf(index: number, inside: { has(index: number): boolean }): readonly number[] {
  const direct = needsOf(index).filter((to) => inside.has(to));
  const further = new Set<number>();
  const queue = [...direct];
  for (const next of queue)
    for (const to of needsOf(next))
      if (inside.has(to) && to !== index && !further.has(to)) {
        further.add(to);
        queue.push(to);
      }
  const reduced = direct.filter((to) => !further.has(to));
  return reduced.length > 0 ? reduced : direct;
}
