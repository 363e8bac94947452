import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** Groups of pages in the sidebar of a registry, derived from the folders of the emulator, which has one file per kind. */

const titles = {
  network: "Network",
  compute: "Compute",
  "block-storage": "Block storage",
  "object-storage": "Object storage",
  iam: "Identity and access",
  ai: "AI",
} as const;

/** Group of definitions without a kind of the API, such as functions. */
export const general = "Provider";

/** Titles of all groups, in the order of the index. */
export const categories: readonly string[] = [...Object.values(titles), general];

const kinds: readonly (readonly [kind: string, title: string])[] = Object.entries(titles).flatMap(
  ([folder, title]) =>
    readdirSync(join(import.meta.dirname, "../../emulator", folder)).map(
      (file) => [basename(file, ".ts"), title] as const,
    ),
);

/** Returns the group of a definition: the group of the longest kind that is a prefix of its name. */
export function categoryOf(name: string): string {
  const matching = kinds.filter(([kind]) => name.startsWith(kind));
  return matching.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? general;
}
