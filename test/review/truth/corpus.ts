import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { RecordedEdit } from "./record.ts";

/** Recorded edits, one JSON document per line, compressed. */

/** File of the corpus that a unit test replays. */
export const corpusFile = fileURLToPath(new URL("./corpus.jsonl.gz", import.meta.url));

/** Returns the recorded edits of a file. */
export async function readEdits(file: string): Promise<RecordedEdit[]> {
  const text = gunzipSync(await readFile(file)).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedEdit);
}

/** Adds edits to a file, which is created if it is missing. Replaces an edit of the same seed. */
export async function addEdits(file: string, edits: readonly RecordedEdit[]): Promise<void> {
  const seeds = new Set(edits.map(({ seed }) => seed));
  const others = existsSync(file) ? (await readEdits(file)).filter(({ seed }) => !seeds.has(seed)) : [];
  const all = [...others, ...edits.map((edit) => ({ ...edit, plan: compact(edit.plan) }))];
  const lines = all.toSorted((a, b) => a.seed - b.seed).map((edit) => `${JSON.stringify(edit)}\n`);
  await writeFile(file, gzipSync(lines.join(""), { level: 9 }));
}

/** Parts of a plan that the findings do not depend on. */
const unread = [
  "planned_values",
  "prior_state",
  "variables",
  "relevant_attributes",
  "output_changes",
  "config",
];

/** Removes the parts of a plan that its findings do not depend on. */
function compact(plan: string): string {
  const json = JSON.parse(plan) as Record<string, unknown>;
  for (const name of unread) delete json[name];
  return JSON.stringify(json);
}
