import { join } from "node:path";
import { resources } from "../../resources/index.ts";
import { openProject } from "../../test/support/engine/pulumi.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { type Cloud, openCloud } from "../cloud.ts";
import { instanceConfiguration, instanceInputs } from "../configuration.ts";
import { engines } from "../engine.ts";
import { inFolder } from "../folder.ts";
import { type Bench, inSeconds, type Measure } from "../measure.ts";
import { kcloud, openWorkspace } from "../workspace.ts";

/** Two hundred instances, created concurrently with the real engines. */

const count = 200;
const taskMs = 5_000;

const reference = (ref: string) => ({ ref, property: "id" });

/** Stack of `instanceConfiguration` for Pulumi. */
const stack = [
  { name: "net", resource: "vpc", inputs: { name: "net" } },
  { name: "web", resource: "subnet", inputs: { vpcId: reference("net"), name: "web", cidr: "10.0.0.0/16" } },
  { name: "open", resource: "security-group", inputs: { vpcId: reference("net"), name: "web" } },
  ...Array.from({ length: count }, (_, at) => {
    const {
      vpcId: _vpc,
      subnetId: _subnet,
      ...plain
    } = instanceInputs(`machine-${at}`, {
      vpcId: "",
      subnetId: "",
      group: "",
    });
    const placed = {
      vpcId: reference("net"),
      subnetId: reference("web"),
      securityGroups: [reference("open")],
    };
    return { name: `machine-${at}`, resource: "instance", inputs: { ...plain, ...placed } };
  }),
];

async function ofTerraform(bench: Bench, cloud: Cloud, folder: string): Promise<void> {
  for (const [name, engine] of await engines()) {
    const workspace = await openWorkspace(engine, join(folder, name), kcloud(), cloud.settings);
    await workspace.write(instanceConfiguration(count));
    await workspace.time("init");
    const [apply, destroy, requests]: [number[], number[], number[]] = [[], [], []];
    for (let round = bench.rounds(2); round > 0; round--) {
      bench.step(`${name}: ${count} instances up and down`);
      cloud.forget();
      apply.push(await workspace.time("apply", "-auto-approve", `-parallelism=${count}`));
      requests.push(cloud.requests().length);
      destroy.push(await workspace.time("destroy", "-auto-approve", `-parallelism=${count}`));
    }
    bench.report(
      { what: `instance-engine: ${name}, apply of ${count}`, unit: "s", samples: inSeconds(apply) },
      { what: `instance-engine: ${name}, requests of the apply`, unit: "requests", samples: requests },
      { what: `instance-engine: ${name}, destroy of ${count}`, unit: "s", samples: inSeconds(destroy) },
    );
  }
}

async function ofPulumi(bench: Bench, cloud: Cloud, folder: string): Promise<void> {
  cloud.forget();
  const project = await openProject(await ensureEngine("pulumi"), join(folder, "pulumi"), {
    ...cloud.settings,
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
  await project.write("pulumi", stack);
  const timed = async (...args: string[]) => {
    const began = performance.now();
    await project.done(...args, "--yes", "--skip-preview", "--parallel", String(count));
    return (performance.now() - began) / 1000;
  };
  bench.step(`Pulumi plugin: ${count} instances up and down`);
  const [up, down] = [await timed("up"), await timed("destroy")];
  bench.report(
    { what: `instance-engine: Pulumi plugin, up of ${count}`, unit: "s", samples: [up] },
    { what: `instance-engine: Pulumi plugin, destroy of ${count}`, unit: "s", samples: [down] },
  );
}

export const instanceEngine: Measure = {
  name: "instance-engine",
  about: `${count} instances of ${taskMs / 1000} s by the real engines`,
  run: (bench) =>
    inFolder(async (folder) => {
      if (!resources.some(({ name }) => name === "instance")) return;
      const cloud = await openCloud({ taskMs });
      try {
        await ofTerraform(bench, cloud, folder);
        await ofPulumi(bench, cloud, folder);
      } finally {
        await cloud.close();
      }
    }),
};
