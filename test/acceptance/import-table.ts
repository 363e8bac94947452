import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { alignedTable } from "../../tools/docs/markdown.ts";
import type { Result } from "./output.ts";

/**
 * Table of imports: the attributes that the plan after an import by block changes, or that the provider refuses the import. The
 * committed table is `import.json`; `UPDATE_GOLDEN=1` writes the rows of the cases that run.
 */

/** Result of the imports of a case. */
export type ImportRow = readonly string[] | "refused";
export type ImportTable = { readonly [name: string]: ImportRow };

const file = join(import.meta.dirname, "import.json");

/** True if the table is written instead of compared. */
export const isWriting = process.env.UPDATE_GOLDEN === "1";

/** Returns the committed table. */
export const readTable = async (): Promise<ImportTable> => JSON.parse(await readFile(file, "utf8"));

/** Writes rows into the committed table, and keeps its other rows. */
export async function writeTable(rows: ImportTable): Promise<void> {
  const all = Object.entries({ ...(await readTable()), ...rows }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

/** Returns the row of a case. Throws if its imports by id and by identity plan different changes. */
export function rowOf({ isRefused }: { readonly isRefused: boolean }, { imports }: Result): ImportRow {
  if (isRefused) return "refused";
  const [first, ...others] = imports;
  if (first === undefined) throw new Error("the case planned no import");
  for (const { kind, changed } of others)
    if (changed.join() !== first.changed.join())
      throw new Error(
        `the import by ${kind} changes ${changed.join(", ")}, by ${first.kind} ${first.changed.join(", ")}`,
      );
  return first.changed;
}

/** Formats rows as a Markdown table, and counts them. */
export function tableOf(rows: ImportTable, engine: string): string {
  const shown = Object.entries(rows).map(([name, row]) => [
    name,
    row === "refused" ? "refused" : row.length === 0 ? "no change" : `updates ${row.join(", ")}`,
  ]);
  const count = (is: (text: string) => boolean) => shown.filter(([, text = ""]) => is(text)).length;
  const counts = `${count((text) => text === "no change")} no change, ${count((text) => text.startsWith("updates"))} updates, ${count((text) => text === "refused")} refused`;
  return `${alignedTable([["case", `import with ${engine}`], ...shown])}\n${counts}`;
}
