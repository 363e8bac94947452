import type { Draw } from "../simulation/draw.ts";

/** Returns the items in a random order. */
export const shuffle = <T>(draw: Draw, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: draw.next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
