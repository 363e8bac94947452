import { parseArgs } from "node:util";
import { markdownOf, type Outcome, outcomesOf, tableOf } from "./compare.ts";
import { addEdits, readEdits } from "./corpus.ts";
import { type EngineName, engineNames } from "./engine.ts";
import { type RecordedEdit, recordEdit } from "./record.ts";

/**
 * `npm run review-truth -- --first S --plans N [--engine terraform|pulumi] [--record FILE]`: draws stacks and edits from seed S
 * on, applies each with a real engine, Terraform and Pulumi in turn, and compares the findings of the review with the effects
 * of the apply. `--record` adds the edits to a file. Needs `npm run engines`.
 *
 * `npm run review-truth -- --replay FILE [--replay FILE]... [--record FILE]` compares recorded edits.
 */

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    plans: { type: "string", default: "20" },
    engine: { type: "string" },
    record: { type: "string" },
    replay: { type: "string", multiple: true, default: [] },
  },
});

const outcomes: Outcome[] = [];
let compared = 0;

/** Compares an edit, and prints each object whose findings were wrong. */
function compare(edit: RecordedEdit): void {
  const found = outcomesOf(edit);
  for (const { danger, name, happened, announced, hidden } of found)
    if (happened !== (announced === "proven") && (hidden === undefined || !happened))
      console.log(
        `seed ${edit.seed} ${edit.engine}: ${name}: ${danger} ${happened ? "missed" : "false"}${announced === undefined ? "" : ` (${announced})`}`,
      );
  outcomes.push(...found);
  compared += 1;
}

/** Adds edits to the file of `--record`. */
const record = async (...edits: readonly RecordedEdit[]): Promise<void> => {
  if (values.record !== undefined) await addEdits(values.record, edits);
};

/** Returns the engine of a seed. */
function engineOf(seed: number): EngineName {
  const name = values.engine ?? engineNames[seed % engineNames.length];
  const found = engineNames.find((known) => known === name);
  if (found === undefined) throw new Error(`--engine: ${name} is none of ${engineNames.join(", ")}`);
  return found;
}

for (const file of values.replay) {
  const edits = await readEdits(file);
  edits.forEach(compare);
  await record(...edits);
}
if (values.replay.length === 0) {
  const first = Number(values.first);
  for (let seed = first; seed < first + Number(values.plans); seed++) {
    const engine = engineOf(seed);
    const start = performance.now();
    try {
      const edit = await recordEdit(seed, engine);
      compare(edit);
      await record(edit);
      console.error(`seed ${seed} ${engine}: ${Math.round(performance.now() - start)} ms`);
    } catch (error) {
      console.error(`seed ${seed} ${engine}: not counted: ${error instanceof Error ? error.message : error}`);
    }
  }
}
console.log(`${markdownOf(tableOf(outcomes))}\n\n${compared} plans compared.`);
