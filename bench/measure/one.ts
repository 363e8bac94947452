import { join } from "node:path";
import type { Engine } from "../../tools/engines/engine.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { dataConfiguration, timeConfiguration, vpcConfiguration } from "../configuration.ts";
import { engines } from "../engine.ts";
import { inFolder } from "../folder.ts";
import { type Bench, type Figure, type Measure, ratio } from "../measure.ts";
import { compileExecutable } from "../plugin.ts";
import {
  builtin,
  type Installation,
  kcloud,
  openWorkspace,
  type Provider,
  time,
  type Workspace,
} from "../workspace.ts";

/**
 * Runs the commands of every engine for one resource, compared with a Go provider and with the engine alone. An engine hashes
 * an installed provider before every command, which takes longer for larger files: the goals apply without the hash.
 */

const commands = ["plan", "apply", "plan without a change"] as const;

type Samples = Record<(typeof commands)[number], number[]>;

interface Contender {
  readonly what: string;
  readonly provider: Provider;
  readonly configuration: object;
  readonly installation: Installation;
}

/** Plans, applies, plans again and destroys one resource. Adds the durations to `samples`. */
async function runLifecycle(workspace: Workspace, samples: Samples): Promise<void> {
  samples.plan.push(await workspace.time("plan", "-out=planned"));
  samples.apply.push(await workspace.time("apply", "planned"));
  samples["plan without a change"].push(await workspace.time("plan"));
  await workspace.time("destroy", "-auto-approve");
  await workspace.forget();
}

/**
 * Runs all contenders in turn for a number of rounds. Returns a function that returns the samples of a contender by its
 * name.
 */
async function race(
  engine: Engine,
  contenders: readonly Contender[],
  { settings }: Cloud,
  folder: string,
  rounds: number,
): Promise<(name: string) => Samples> {
  const runners = new Map<string, { workspace: Workspace; samples: Samples }>();
  for (const [at, { what, provider, configuration, installation }] of contenders.entries()) {
    const workspace = await openWorkspace(engine, join(folder, String(at)), provider, settings, installation);
    await workspace.write(configuration);
    if (installation === "installed") await workspace.time("init");
    runners.set(what, { workspace, samples: { plan: [], apply: [], "plan without a change": [] } });
  }
  for (let round = 0; round < rounds; round++)
    for (const { workspace, samples } of runners.values()) await runLifecycle(workspace, samples);
  return (name) => {
    const { samples } = runners.get(name) ?? {};
    if (samples === undefined) throw new Error(`${name} did not run`);
    return samples;
  };
}

/** Returns the goal for the ratio to the Go provider. Terraform before 1.12 starts fewer internal components. */
const goalOf = (engine: string): number => (engine === "terraform 1.11.4" ? 2.6 : 3.2);

export const one: Measure = {
  name: "one",
  about: "one resource planned, applied, planned again",
  run: (bench) => inFolder((folder) => measure(bench, folder)),
};

async function measure(bench: Bench, folder: string): Promise<void> {
  bench.step("compiling the executable");
  const executable = kcloud((await compileExecutable(join(folder, "executable"))).terraform);
  const rivals = [
    { what: "Go provider", provider: await time(), configuration: timeConfiguration(1) },
    { what: "kcloud", provider: kcloud(), configuration: vpcConfiguration() },
    { what: "kcloud executable", provider: executable, configuration: vpcConfiguration() },
  ];
  const own = { what: "terraform_data", provider: builtin, configuration: dataConfiguration(1) };
  const contenders: readonly Contender[] = [
    { ...own, installation: "installed" },
    ...rivals.map((rival) => ({ ...rival, installation: "overridden" as const })),
    ...rivals.map((rival) => ({
      ...rival,
      what: `${rival.what}, installed`,
      installation: "installed" as const,
    })),
  ];
  const cloud = await openCloud();
  try {
    for (const [name, engine] of await engines()) {
      const rounds = bench.rounds(7);
      bench.step(`${name}: ${rounds} rounds`);
      const samples = await race(engine, contenders, cloud, join(folder, name), rounds);
      for (const command of commands)
        for (const { what } of contenders)
          bench.report({
            what: `one: ${name}, ${command}, ${what}`,
            unit: "ms",
            samples: samples(what)[command],
          });
      const against = (what: string, goal: number): Figure => ({
        what: `one: ${name}, plan, ${what} ÷ Go provider`,
        unit: "×",
        samples: ratio(samples(what).plan, samples("Go provider").plan),
        goal,
      });
      bench.report(against("kcloud", goalOf(name)), against("kcloud executable", 1.3), {
        what: `one: ${name}, plan, kcloud executable ÷ Go provider, both installed`,
        unit: "×",
        samples: ratio(samples("kcloud executable, installed").plan, samples("Go provider, installed").plan),
      });
    }
  } finally {
    await cloud.close();
  }
}
