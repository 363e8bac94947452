import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { growth } from "../attached.ts";
import { inFolder } from "../folder.ts";
import { type Bench, interleave, type Measure, ratio } from "../measure.ts";
import { root, terraformPlugin } from "../plugin.ts";
import { kcloud, openWorkspace } from "../workspace.ts";
import { openStorage, writeBytes } from "./bytes.ts";

/** Submits a large document, encoded in Base64 during the upload. */

const size = 100 * 1024 ** 2;
/** Goal of the ratio of durations. */
const slowest = 1.5;
/** Goal of the peak memory in MB, in addition to the memory of the idle plugin. */
const most = 40;

/** Measures the durations of the provider's client and of a bare pipe, each in a separate process. */
async function pipes(bench: Bench, origin: string, file: string): Promise<void> {
  const rounds = bench.rounds(9);
  bench.step(`${rounds} rounds of 100 MiB`);
  const timed = (what: string) => async () => {
    const mover = join(root, "bench/mover.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [mover, what, origin, file]);
    return (JSON.parse(stdout) as { readonly milliseconds: number }).milliseconds;
  };
  const took = await interleave(rounds, { own: timed("document"), bare: timed("bareDocument") });
  bench.report(
    { what: "document: 100 MiB by a bare pipe", unit: "ms", samples: took.bare },
    {
      what: "document: 100 MiB ÷ bare pipe",
      unit: "×",
      samples: ratio(took.own, took.bare),
      goal: slowest,
    },
  );
}

/** Measures the growth of the plugin's memory in MB while OpenTofu plans and applies the document. */
async function memory(bench: Bench, folder: string, origin: string, file: string): Promise<void> {
  const settings = { SERVICE_BASE_URL: origin, SERVICE_API_KEY: "no-key", SERVICE_REGION: "In-Bangalore-1" };
  const workspace = await openWorkspace(await ensureEngine("opentofu"), folder, kcloud(), settings);
  await workspace.write({
    provider: { kcloud: {} },
    resource: { kcloud_document_text: { one: { language: "english", file_type: "Digital", source: file } } },
  });
  await workspace.time("init");
  const samples: number[] = [];
  for (let round = bench.rounds(3); round > 0; round--) {
    bench.step("a plan and an apply with 100 MiB");
    await workspace.forget();
    const { idle, ratio } = await growth(terraformPlugin, workspace, settings, ["apply", "-auto-approve"]);
    samples.push(idle * (ratio - 1));
  }
  bench.report({
    what: "document: 100 MiB, memory of the plugin over idle",
    unit: "MB",
    samples,
    goal: most,
  });
}

export const document: Measure = {
  name: "document",
  about: "a document of 100 MiB compared with a bare pipe, and the memory of the plugin (Linux)",
  run: (bench) =>
    inFolder(async (folder) => {
      if (process.platform !== "linux") return;
      const file = join(folder, "letter.pdf");
      await writeBytes(file, size);
      const { origin, close } = await openStorage();
      try {
        await pipes(bench, origin, file);
        await memory(bench, join(folder, "work"), origin, file);
      } finally {
        close();
      }
    }),
};
