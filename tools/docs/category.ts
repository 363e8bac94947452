import type { Category } from "../../provider/definition/category.ts";

/** Titles of the groups in the sidebar of a registry, in the order of the index. */
export const titles: Readonly<Record<Category, string>> = {
  network: "Network",
  compute: "Compute",
  "block-storage": "Block storage",
  "object-storage": "Object storage",
  identity: "Identity and access",
  ai: "AI",
  provider: "Provider",
};

/** Returns the definitions of each group that has some, with its title, in the order of the index. */
export const byCategory = <D extends { readonly name: string; readonly category: Category }>(
  definitions: readonly D[],
): (readonly [title: string, definitions: D[]])[] =>
  Object.entries(titles)
    .map(([category, title]) => [title, definitions.filter((each) => each.category === category)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([title, found]) => [title, found.toSorted((a, b) => (a.name < b.name ? -1 : 1))]);
