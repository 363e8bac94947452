import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openPulumi } from "./pulumi.ts";
import type { Recorder, Recording, StoredCommand } from "./recording.ts";
import { drawCommands } from "./scene.ts";
import {
  digestOf,
  engineNames,
  type RecordedEngine,
  readRecordings,
  stored,
  writeRecordings,
} from "./store.ts";
import { openTerraform } from "./terraform.ts";

/**
 * `npm run record -- --engine terraform [--first 1] [--count 100] [--again] [--show]`: runs the stacks of these seeds on
 * the real engine and stores its calls. Seeds that are recorded already are skipped without `--again`; `--show` prints
 * the output of the engine.
 */

const { values: options } = parseArgs({
  options: {
    engine: { type: "string", multiple: true, default: [...engineNames] },
    first: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    again: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
  },
});

const open = {
  terraform: async (folder: string) => openTerraform(await ensureEngine("terraform"), folder),
  opentofu: async (folder: string) => openTerraform(await ensureEngine("opentofu"), folder),
  pulumi: async (folder: string) => openPulumi(await ensureEngine("pulumi-yaml"), folder),
} as const;

async function recordSeed(engine: RecordedEngine, seed: number): Promise<Recording> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-record-"));
  let recorder: Recorder | undefined;
  try {
    recorder = await open[engine](folder);
    const commands: StoredCommand[] = [];
    for (const command of drawCommands(seed)) {
      const recorded = await recorder.run(command);
      if (options.show) console.log(recorded.output);
      commands.push(stored(recorded));
    }
    return { seed, drawn: digestOf(seed), commands };
  } finally {
    await recorder?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function record(engine: RecordedEngine, first: number, count: number): Promise<void> {
  const { version } = await ensureEngine(engine);
  const before = await readRecordings(engine);
  const isSame = before?.version === version;
  let recordings = isSame ? before.recordings.filter(({ seed, drawn }) => drawn === digestOf(seed)) : [];
  for (let seed = first; seed < first + count; seed++) {
    if (!options.again && recordings.some((one) => one.seed === seed)) continue;
    const began = Date.now();
    const recording = await recordSeed(engine, seed);
    recordings = [...recordings.filter((one) => one.seed !== seed), recording];
    await writeRecordings(engine, { version, recordings });
    console.log(`${engine} seed ${seed}: ${recording.commands.length} commands, ${Date.now() - began} ms`);
  }
}

for (const name of options.engine) {
  const engine = engineNames.find((known) => known === name);
  if (engine === undefined) throw new Error(`--engine must be one of ${engineNames.join(", ")}, not ${name}`);
  await record(engine, Number(options.first), Number(options.count));
}
