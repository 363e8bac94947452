import { join } from "node:path";
import type { Engine } from "../../tools/engines/engine.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { sameShapeConfiguration, volumeConfiguration } from "../configuration.ts";
import { engines } from "../engine.ts";
import { inFolder } from "../folder.ts";
import { type Bench, inSeconds, interleave, type Measure, over } from "../measure.ts";
import { builtin, kcloud, openWorkspace, type Provider } from "../workspace.ts";

/** Refresh of a thousand volumes in ten VPCs with a slow API. */

const count = 1000;
const latencyMs = 100;
const goals: Readonly<Record<string, number>> = { "terraform 1.16.0": 1.3, "opentofu 1.12.6": 1.8 };

async function measure(
  bench: Bench,
  name: string,
  engine: Engine,
  cloud: Cloud,
  folder: string,
): Promise<void> {
  const open = async (kind: string, provider: Provider, configuration: object) => {
    const workspace = await openWorkspace(engine, join(folder, kind), provider, cloud.settings);
    await workspace.write(configuration);
    await workspace.time("init");
    await workspace.time("apply", "-auto-approve");
    return workspace;
  };
  bench.step(`${name}: creating ${count} volumes`);
  cloud.forget();
  cloud.emulator.configure({ latencyMs: 0 });
  const data = await open("data", builtin, sameShapeConfiguration(count));
  const own = await open("own", kcloud(), volumeConfiguration(count));
  cloud.emulator.configure({ latencyMs });
  const requests: number[] = [];
  bench.step(`${name}: refreshing them`);
  const refresh = ["plan", "-refresh-only", "-parallelism=10"];
  const samples = await interleave(bench.rounds(5), {
    data: () => data.time(...refresh),
    async own() {
      const before = cloud.requests().length;
      const took = await own.time(...refresh);
      requests.push(cloud.requests().length - before);
      return took;
    },
  });
  const goal = goals[name];
  bench.report(
    { what: `refresh: ${name}, terraform_data`, unit: "s", samples: inSeconds(samples.data) },
    { what: `refresh: ${name}, kcloud`, unit: "s", samples: inSeconds(samples.own) },
    {
      what: `refresh: ${name}, kcloud over terraform_data`,
      unit: "s",
      samples: inSeconds(over(samples.own, samples.data)),
      goal,
    },
    { what: `refresh: ${name}, requests`, unit: "requests", samples: requests, goal: 30 },
  );
}

export const refresh: Measure = {
  name: "refresh",
  about: `${count} volumes in ten VPCs refreshed, the API at ${latencyMs} ms`,
  run: (bench) =>
    inFolder(async (folder) => {
      const cloud = await openCloud();
      try {
        for (const [name, engine] of await engines())
          if (name in goals) await measure(bench, name, engine, cloud, join(folder, name));
      } finally {
        await cloud.close();
      }
    }),
};
