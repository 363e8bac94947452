import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { readPlan } from "../../../review/read/read.ts";
import { findingsOf } from "./compare.ts";
import type { RecordedEdit } from "./record.ts";

/** Recorded edits, one JSON document per line, compressed. */

/** File of the corpus that a unit test replays. */
export const corpusFile = fileURLToPath(new URL("./corpus.jsonl.gz", import.meta.url));

/** Returns the recorded edits of a file. */
export const readEdits = async (file: string): Promise<RecordedEdit[]> =>
  (await storedEdits(file)).map((edit) => ({ ...edit, plan: restored(edit.plan) }));

async function storedEdits(file: string): Promise<RecordedEdit[]> {
  const text = gunzipSync(await readFile(file)).toString();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedEdit);
}

/** Adds edits to a file, which is created if it is missing. Replaces an edit of the same seed. */
export async function addEdits(file: string, edits: readonly RecordedEdit[]): Promise<void> {
  const seeds = new Set(edits.map(({ seed }) => seed));
  const others = existsSync(file) ? (await storedEdits(file)).filter(({ seed }) => !seeds.has(seed)) : [];
  const all = [...others, ...edits.map((edit) => ({ ...edit, plan: compact(edit) }))];
  const lines = all.toSorted((a, b) => a.seed - b.seed).map((edit) => `${JSON.stringify(edit)}\n`);
  await writeFile(file, gzipSync(lines.join(""), { level: 9 }));
}

/** Parts of a plan that the findings do not depend on, or that follow from the others. */
const unread = ["planned_values", "prior_state", "relevant_attributes", "config"];

interface Row {
  readonly address: string;
  readonly mode: string;
  readonly deposed?: string;
  readonly change: { readonly after: unknown };
}

/** Removes these parts of a plan. Throws an error if its findings then differ. */
function compact({ seed, engine, plan }: RecordedEdit): string {
  const json = JSON.parse(plan) as Record<string, unknown>;
  for (const name of unread) delete json[name];
  const kept = JSON.stringify(json, (name, value) => (name === "stackTrace" ? undefined : value));
  const [all, left] = [plan, restored(kept)].map((text) =>
    JSON.stringify(findingsOf(readPlan(engine, text))),
  );
  if (all !== left) throw new Error(`seed ${seed}: findings depend on a part of the plan that is removed`);
  return kept;
}

/** Adds the planned values to a plan of Terraform: those of the list of changes. */
function restored(plan: string): string {
  const json = JSON.parse(plan) as { readonly resource_changes?: readonly Row[] };
  if (json.resource_changes === undefined) return plan;
  const resources = json.resource_changes
    .filter(({ deposed, change }) => deposed === undefined && change.after !== null)
    .map(({ address, mode, change }) => ({ address, mode, values: change.after }));
  return JSON.stringify({ ...json, planned_values: { root_module: { resources } } });
}
