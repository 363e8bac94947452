import { join, resolve } from "node:path";
import { type Engine, ensureEngine } from "../../tools/engines/engine.ts";
import { growth, processorTime } from "../attached.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { volumeConfiguration, vpcConfiguration } from "../configuration.ts";
import { engines } from "../engine.ts";
import { inFolder } from "../folder.ts";
import { type Bench, interleave, type Measure, ratio } from "../measure.ts";
import { handshakeEnvironment, pulumiPlugin, root, terraformPlugin } from "../plugin.ts";
import { untilLine } from "../process.ts";
import { kcloud, openWorkspace, type Workspace } from "../workspace.ts";
import { buildEager } from "./start.ts";

/** Compares the plugins of this checkout with those of another built checkout, in the same rounds. */

interface Plugins {
  readonly terraform: string;
  readonly pulumi: string;
}

/** Maximum ratio for a change that does not affect speed. */
const goal = 1.05;
/** Maximum ratio for a start that loads all definitions. It is higher, since a new resource adds a definition. */
const eagerGoal = 1.1;

const count = 1000;

/** Opens a workspace whose engine uses a plugin without hashing it before each command. */
async function open(
  engine: Engine,
  folder: string,
  plugin: string,
  { settings }: Cloud,
  configuration: object,
) {
  const workspace = await openWorkspace(engine, folder, kcloud(plugin), settings, "overridden");
  await workspace.write(configuration);
  return workspace;
}

/** Returns the duration of an apply in ms, to an emulator without objects. */
async function applyToEmpty(cloud: Cloud, workspace: Workspace): Promise<number> {
  cloud.forget();
  await workspace.forget();
  return workspace.time("apply", "-auto-approve");
}

/** Returns the duration of the apply of a saved plan in ms, to an emulator without objects. */
async function applySaved(cloud: Cloud, workspace: Workspace): Promise<number> {
  cloud.forget();
  await workspace.forget();
  await workspace.time("plan", "-out=planned");
  return workspace.time("apply", "planned");
}

/** Returns the peak memory of the plugin in MB during a plan. */
async function planPeak(cloud: Cloud, workspace: Workspace, plugin: string): Promise<number> {
  cloud.forget();
  await workspace.forget();
  const { idle, ratio } = await growth(plugin, workspace, cloud.settings, ["plan"]);
  return idle * ratio;
}

/** Returns the processor time of the plugin in ms during an apply, to an emulator without objects. */
async function applyProcessor(cloud: Cloud, workspace: Workspace, plugin: string): Promise<number> {
  cloud.forget();
  await workspace.forget();
  return processorTime(plugin, workspace, cloud.settings, ["apply", "-auto-approve"]);
}

/** Returns the processor time of the plugin in ms during a plan after an apply, which reads all objects. */
async function refreshProcessor(cloud: Cloud, workspace: Workspace, plugin: string): Promise<number> {
  await applyToEmpty(cloud, workspace);
  return processorTime(plugin, workspace, cloud.settings, ["plan"]);
}

async function measure(
  bench: Bench,
  folder: string,
  cloud: Cloud,
  own: Plugins,
  other: Plugins,
  against: string,
) {
  const { execPath: node } = process;
  const handshake = handshakeEnvironment();
  const sides = [own.terraform, other.terraform] as const;
  const opentofu = await ensureEngine("opentofu");
  const openBoth = async (engine: Engine, name: string, configuration: object) => {
    const [mine, theirs] = sides;
    return [
      await open(engine, join(folder, `${name}-own`), mine, cloud, configuration),
      await open(engine, join(folder, `${name}-other`), theirs, cloud, configuration),
    ] as const;
  };
  const eager = [
    await buildEager(join(folder, "own.cjs"), root),
    await buildEager(join(folder, "other.cjs"), against),
  ] as const;
  const ones = new Map<string, readonly [own: Workspace, other: Workspace]>();
  for (const [name, engine] of await engines())
    ones.set(name, await openBoth(engine, `one-${name}`, vpcConfiguration()));
  const many = await openBoth(opentofu, "many", volumeConfiguration(count));
  /** Measures both sides in turn, and reports the ratio of their samples, `own` ÷ `other`. */
  const compare = async (what: string, run: (side: 0 | 1) => Promise<number>, most = goal): Promise<void> => {
    const rounds = bench.rounds(15);
    bench.step(`${what}: ${rounds} rounds`);
    const samples = await interleave(rounds, { own: () => run(0), other: () => run(1) });
    bench.report({
      what: `contender: ${what}`,
      unit: "×",
      samples: ratio(samples.own, samples.other),
      goal: most,
    });
  };
  await compare("start of the Terraform plugin", (side) => untilLine(node, [sides[side]], handshake));
  await compare("start with all definitions", (side) => untilLine(node, [eager[side]], handshake), eagerGoal);
  await compare("start of the Pulumi plugin", (side) =>
    untilLine(node, [[own.pulumi, other.pulumi][side] ?? "", "127.0.0.1:1"]),
  );
  for (const [engine, one] of ones) {
    await compare(`plan of one resource, ${engine}`, (side) => one[side].time("plan"));
    await compare(`apply of one saved plan, ${engine}`, (side) => applySaved(cloud, one[side]));
  }
  await compare(`apply of ${count} volumes, OpenTofu`, (side) => applyToEmpty(cloud, many[side]));
  await compare(`processor time of an apply of ${count} volumes`, (side) =>
    applyProcessor(cloud, many[side], sides[side]),
  );
  await compare(`processor time of a refresh of ${count} volumes`, (side) =>
    refreshProcessor(cloud, many[side], sides[side]),
  );
  await compare(`peak memory of a plan of ${count} volumes`, (side) =>
    planPeak(cloud, many[side], sides[side]),
  );
}

export const contender: Measure = {
  name: "contender",
  about: "the plugins compared with those of another built checkout (--against), Linux",
  async run(bench) {
    const { against } = bench;
    if (against === undefined) {
      bench.step("left out without --against CHECKOUT");
      return;
    }
    const dist = resolve(against, "dist");
    const other = {
      terraform: join(dist, "terraform-provider-kcloud"),
      pulumi: join(dist, "pulumi-resource-kcloud"),
    };
    const own = { terraform: terraformPlugin, pulumi: pulumiPlugin };
    return inFolder(async (folder) => {
      const cloud = await openCloud();
      try {
        await measure(bench, folder, cloud, own, other, resolve(against));
      } finally {
        await cloud.close();
      }
    });
  },
};
