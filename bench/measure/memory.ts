import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { attach, growth } from "../attached.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { volumeConfiguration } from "../configuration.ts";
import { inFolder } from "../folder.ts";
import type { Bench, Figure, Measure } from "../measure.ts";
import { terraformPlugin } from "../plugin.ts";
import { kcloud, openWorkspace } from "../workspace.ts";

/** Memory of one plugin process with OpenTofu attached to it. */

const runs = 10;

/** Plans, applies and destroys `count` volumes. Plan and destroy are measured, each with a separate plugin process. */
async function stages(bench: Bench, cloud: Cloud, folder: string, count: number) {
  const workspace = await openWorkspace(await ensureEngine("opentofu"), folder, kcloud(), cloud.settings);
  await workspace.write(volumeConfiguration(count));
  await workspace.time("init");
  const samples: { idle: number[]; plan: number[]; destroy: number[] } = { idle: [], plan: [], destroy: [] };
  for (let round = bench.rounds(1); round > 0; round--) {
    bench.step(`${count} volumes: plan, apply, destroy`);
    cloud.forget();
    await workspace.forget();
    const plan = await growth(terraformPlugin, workspace, cloud.settings, ["plan"]);
    await workspace.time("apply", "-auto-approve");
    const destroy = await growth(terraformPlugin, workspace, cloud.settings, ["destroy", "-auto-approve"]);
    samples.idle.push(plan.idle);
    samples.plan.push(plan.ratio);
    samples.destroy.push(destroy.ratio);
  }
  return samples;
}

/**
 * Returns the ratio of the live heap of one process after the last of several equal runs to that after the third, when all
 * caches are filled. Compares the sizes of heap snapshots, because resident memory also contains garbage that V8 has not
 * collected yet.
 */
async function equalRuns(bench: Bench, cloud: Cloud, folder: string): Promise<number> {
  const workspace = await openWorkspace(await ensureEngine("opentofu"), folder, kcloud(), cloud.settings);
  await workspace.write(volumeConfiguration(100));
  await workspace.time("init");
  const snapshots = join(folder, "snapshots");
  await mkdir(snapshots);
  const flags = ["--heapsnapshot-signal=SIGUSR2", `--diagnostic-dir=${snapshots}`];
  const plugin = await attach(terraformPlugin, cloud.settings, flags);
  try {
    for (let run = 1; run <= runs; run++) {
      bench.step(`equal run ${run} of ${runs}`);
      cloud.forget();
      await workspace.timeWith(plugin.environment, "apply", "-auto-approve");
      await workspace.timeWith(plugin.environment, "destroy", "-auto-approve");
      if (run === 3 || run === runs) await snapshot(plugin.pid, snapshots);
    }
    const [early = Number.NaN, late = Number.NaN] = await sizes(snapshots);
    return late / early;
  } finally {
    await plugin.end();
  }
}

/** Returns the sizes in bytes of the files of a folder, in the order of their names. */
const sizes = async (folder: string): Promise<number[]> =>
  Promise.all((await readdir(folder)).toSorted().map(async (name) => (await stat(join(folder, name))).size));

/** Makes the process write a heap snapshot into the folder and waits until the file stops growing. */
async function snapshot(pid: number, folder: string): Promise<void> {
  const before = (await sizes(folder)).length;
  process.kill(pid, "SIGUSR2");
  for (let last = 0; ; ) {
    await setTimeout(500);
    const size = (await sizes(folder))[before] ?? 0;
    if (size > 0 && size === last) return;
    last = size;
  }
}

async function measure(bench: Bench, cloud: Cloud, folder: string): Promise<void> {
  const times = (what: string, samples: number[], goal?: number): Figure => ({
    what: `memory: ${what}`,
    unit: "×",
    samples,
    goal,
  });
  const thousand = await stages(bench, cloud, join(folder, "1000"), 1000);
  bench.report(
    times("plan of 1000 ÷ idle", thousand.plan, 1.6),
    times("destroy of 1000 ÷ idle", thousand.destroy, 2),
  );
  const more = await stages(bench, cloud, join(folder, "3000"), 3000);
  bench.report(times("plan of 3000 ÷ idle", more.plan), times("destroy of 3000 ÷ idle", more.destroy, 3), {
    what: "memory: the plugin idle",
    unit: "MB",
    samples: [...thousand.idle, ...more.idle],
  });
  const grown = await equalRuns(bench, cloud, join(folder, "equal"));
  bench.report(times(`alive after ${runs} equal runs ÷ after three`, [grown], 1.02));
}

export const memory: Measure = {
  name: "memory",
  about: "memory of the Terraform plugin",
  run: (bench) =>
    inFolder(async (folder) => {
      const cloud = await openCloud();
      try {
        await measure(bench, cloud, folder);
      } finally {
        await cloud.close();
      }
    }),
};
