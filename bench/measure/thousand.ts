import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { type Cloud, openCloud, type Request } from "../cloud.ts";
import { dataConfiguration, timeConfiguration, volumesIn, vpcsConfiguration } from "../configuration.ts";
import { inFolder } from "../folder.ts";
import { type Bench, type Figure, inSeconds, interleave, type Measure, over, pairwise } from "../measure.ts";
import { builtin, kcloud, openWorkspace, type Provider, time, type Workspace } from "../workspace.ts";

/**
 * Compares a thousand volumes with resources that send no requests, under OpenTofu, whose own share of the time is small. The
 * VPCs of the volumes exist already and are named by their ids: resolving a reference to another resource for each volume would
 * take the engine longer than the volume.
 */

const count = 1000;
const vpcCount = 10;
const parallelism = "10";
const loop = fileURLToPath(new URL("../peer/loop.ts", import.meta.url));

/** Returns the duration of the bare requests in ms, sent to an emulator that contains only the VPCs. */
async function bareLoop(site: Site, requests: readonly Request[], folder: string): Promise<number> {
  const { cloud } = site;
  const file = join(folder, "requests.json");
  await writeFile(file, JSON.stringify(requests));
  await resetSite(site);
  const args = ["--no-warnings", loop, file, cloud.url, parallelism];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { milliseconds, refused } = JSON.parse(stdout) as { milliseconds: number; refused: number };
  // Some requests arrive before the object that they refer to exists. Their rejection costs as much as a success, but
  // at least three quarters must succeed.
  if (refused > requests.length / 4) throw new Error(`${refused} of ${requests.length} were refused`);
  return milliseconds;
}

interface Site {
  /** Workspace with the VPCs of the volumes. */
  readonly nets: Workspace;
  readonly data: Workspace;
  readonly go: Workspace;
  readonly own: Workspace;
  readonly cloud: Cloud;
}

async function openSite(folder: string): Promise<Site> {
  const engine = await ensureEngine("opentofu");
  const cloud = await openCloud();
  const open = async (name: string, provider: Provider, configuration: object) => {
    const workspace = await openWorkspace(engine, join(folder, name), provider, cloud.settings);
    await workspace.write(configuration);
    await workspace.time("init");
    return workspace;
  };
  const nets = await open("nets", kcloud(), vpcsConfiguration(vpcCount));
  const own = await open("own", kcloud(), {});
  await resetSite({ cloud, nets });
  await own.write(volumesIn(await idsIn(nets), count));
  return {
    cloud,
    nets,
    own,
    data: await open("data", builtin, dataConfiguration(count)),
    go: await open("go", await time(), timeConfiguration(count)),
  };
}

/** Resets the emulator and creates the VPCs again. They get the same ids, so that configurations with these ids are valid. */
async function resetSite({ cloud, nets }: Pick<Site, "cloud" | "nets">): Promise<void> {
  cloud.forget();
  await nets.forget();
  await nets.time("apply", "-auto-approve");
  cloud.forgetRequests();
}

async function idsIn(workspace: Workspace): Promise<string[]> {
  const state = JSON.parse(await readFile(join(workspace.path, "terraform.tfstate"), "utf8"));
  const instances: { attributes: { id: string } }[] = state.resources[0].instances;
  return instances.map(({ attributes }) => attributes.id);
}

/** Returns the duration in ms of an apply to an emulator that contains only the VPCs. */
async function applied(site: Site, workspace: Workspace): Promise<number> {
  await resetSite(site);
  await workspace.forget();
  await workspace.time("plan", "-out=planned");
  return workspace.time("apply", `-parallelism=${parallelism}`, "planned");
}

const seconds = (what: string, samples: readonly number[], goal?: number): Figure => ({
  what: `thousand: ${what}`,
  unit: "s",
  samples: inSeconds(samples),
  goal,
});

async function measure(bench: Bench, site: Site, folder: string): Promise<void> {
  const { cloud, data, go, own } = site;
  bench.step("planning a thousand");
  const plan = await interleave(bench.rounds(5), {
    data: () => data.time("plan"),
    go: () => go.time("plan"),
    own: () => own.time("plan"),
  });
  const [added, goAdded] = [over(plan.own, plan.data), over(plan.go, plan.data)];
  bench.report(
    seconds("plan, terraform_data", plan.data),
    seconds("plan, Go provider", plan.go),
    seconds("plan, kcloud", plan.own),
    {
      what: "thousand: plan, what kcloud adds ÷ what the Go provider adds",
      unit: "×",
      samples: pairwise(added, goAdded, (ours, theirs) => ours / theirs),
      goal: 3,
    },
    { what: "thousand: requests of a plan", unit: "requests", samples: [cloud.requests().length], goal: 0 },
  );
  bench.step("applying a thousand");
  let requests: readonly Request[] = [];
  const apply = await interleave(bench.rounds(5), {
    data: () => applied(site, data),
    go: () => applied(site, go),
    async own() {
      const took = await applied(site, own);
      requests = cloud.requests();
      return took;
    },
  });
  const sent = requests.length;
  const bare: number[] = [];
  for (const _ of apply.own) bare.push(await bareLoop(site, requests, folder));
  bench.report(
    seconds("apply, terraform_data", apply.data),
    seconds("apply, Go provider", apply.go),
    seconds("apply, kcloud", apply.own),
    seconds("the same requests from a bare loop", bare),
    seconds("apply, kcloud over terraform_data and the loop", over(over(apply.own, apply.data), bare), 1.5),
    { what: "thousand: requests of an apply", unit: "requests", samples: [sent] },
  );
  await applied(site, own);
  bench.step("planning a thousand existing volumes");
  const again = await interleave(bench.rounds(5), {
    data: () => data.time("plan"),
    go: () => go.time("plan"),
    own: () => own.time("plan"),
  });
  bench.report(
    seconds("plan without a change, terraform_data", again.data),
    seconds("plan without a change, Go provider", again.go),
    seconds("plan without a change, kcloud", again.own),
  );
}

export const thousand: Measure = {
  name: "thousand",
  about: "1000 volumes planned, applied and planned again by OpenTofu",
  run: (bench) =>
    inFolder(async (folder) => {
      const site = await openSite(folder);
      try {
        await measure(bench, site, folder);
      } finally {
        await site.cloud.close();
      }
    }),
};
