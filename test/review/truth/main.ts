import { parseArgs } from "node:util";
import { isFound, isHidden, markdownOf, type Outcome, outcomesOf, tableOf } from "./compare.ts";
import { addEdits, readEdits } from "./corpus.ts";
import { type EngineName, engineNames } from "./engine.ts";
import { violationsOf } from "./harmless.ts";
import { type RecordedEdit, recordEdit } from "./record.ts";

/**
 * `npm run review-truth -- --first S --plans N [--engine terraform|pulumi] [--record FILE]`: draws stacks and edits from seed S
 * on, applies each with a real engine, Terraform and Pulumi in turn, and compares the findings of the review with the effects
 * of the apply. `--record` adds the edits to a file. Needs `npm run engines`.
 *
 * `npm run review-truth -- --harmless --first S --plans N` draws harmless edits, plans them, prints each finding of high or critical
 * severity, and ends with 1 if there is one.
 *
 * `npm run review-truth -- --replay FILE [--replay FILE]... [--record FILE]` compares recorded edits.
 */

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    plans: { type: "string", default: "20" },
    engine: { type: "string" },
    record: { type: "string" },
    harmless: { type: "boolean", default: false },
    replay: { type: "string", multiple: true, default: [] },
  },
});

const outcomes: Outcome[] = [];
let compared = 0;

/** Compares an edit, and prints each object whose findings were wrong. */
function compare(edit: RecordedEdit): void {
  const found = outcomesOf(edit);
  for (const one of found) {
    const isMissed = one.happened && !isFound(one) && !isHidden(one);
    if (!isMissed && (one.happened || one.announced !== "proven")) continue;
    const confidence = one.announced === undefined ? "" : ` (${one.announced})`;
    console.log(
      `seed ${edit.seed} ${edit.engine}: ${one.name}: ${one.danger} ${isMissed ? "missed" : "false"}, ${one.form}${confidence}`,
    );
  }
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
/** Runs a function for each seed; prints the reason if an engine fails, and returns the number of seeds that did not. */
async function eachSeed(run: (seed: number, engine: EngineName) => Promise<void>): Promise<number> {
  const first = Number(values.first);
  let count = 0;
  for (let seed = first; seed < first + Number(values.plans); seed++) {
    const engine = engineOf(seed);
    const start = performance.now();
    try {
      await run(seed, engine);
      count += 1;
      console.error(`seed ${seed} ${engine}: ${Math.round(performance.now() - start)} ms`);
    } catch (error) {
      console.error(`seed ${seed} ${engine}: not counted: ${error instanceof Error ? error.message : error}`);
    }
  }
  return count;
}

if (values.harmless) {
  let violations = 0;
  const count = await eachSeed(async (seed, engine) => {
    for (const { rule, severity, text } of await violationsOf(seed, engine)) {
      violations += 1;
      console.log(`seed ${seed} ${engine}: ${rule} ${severity}: ${text}`);
    }
  });
  console.log(`${count} harmless edits, ${violations} findings of high or critical severity.`);
  // An edit that is not planned proves nothing.
  if (violations > 0 || count < Number(values.plans)) process.exitCode = 1;
} else {
  if (values.replay.length === 0)
    await eachSeed(async (seed, engine) => {
      const edit = await recordEdit(seed, engine);
      compare(edit);
      await record(edit);
    });
  console.log(`${markdownOf(tableOf(outcomes))}\n\n${compared} plans compared.`);
}
