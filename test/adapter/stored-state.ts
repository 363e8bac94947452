import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { pulumiAdapter } from "../support/engine/pulumi.ts";
import { settingsOf, withSite } from "../support/engine/site.ts";
import { terraformAdapter } from "../support/engine/terraform.ts";
import type { Adapter, Stack, Workspace } from "./adapter.ts";

/**
 * State files of released versions, each with the cloud that it belongs to: every later version must read them and plan
 * no change. `node test/adapter/stored-state.ts VERSION` creates those of a release; they never change later.
 */

export const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

const network = { ref: "network", property: "id" };
export const stack: Stack = [
  {
    name: "network",
    resource: "vpc",
    inputs: {
      name: "kept",
      description: "kept for later versions",
      primarySubnet: { name: "first", cidr: "10.0.0.0/24", gatewayIp: "10.0.0.1" },
    },
  },
  {
    name: "web",
    resource: "subnet",
    inputs: { vpcId: network, name: "web", cidr: "10.0.1.0/24", egress: false },
  },
  {
    name: "data",
    resource: "volume",
    inputs: {
      vpcId: network,
      name: "data",
      sizeGb: 20,
      volumeType: "ssd",
      metadata: { team: "orders" },
      qos: { iops: { readIopsSec: 500 } },
    },
  },
];

/** Adapters, each with the state files in its folder. */
export const stateAdapters: readonly {
  readonly name: string;
  readonly files: readonly string[];
  adapter(): Promise<Adapter>;
}[] = [
  {
    name: "terraform",
    files: ["terraform.tfstate"],
    adapter: async () => terraformAdapter(await ensureEngine("terraform")),
  },
  ...(["pulumi", "dynamic"] as const).map((kind) => ({
    name: kind,
    files: [".pulumi/stacks/proj/dev.json", "Pulumi.dev.yaml"],
    adapter: async () => pulumiAdapter(await ensureEngine("pulumi"), kind),
  })),
];

/** Returns the path of a fixture file: flat, without the folders and leading dots of the original path. */
export const place = (version: string, name: string, file: string): string =>
  join(fixtures, version, name, file.split("/").at(-1) ?? "");

/** Runs the work in an empty workspace with an emulator whose objects are loaded from `state` and saved there. */
export const withWorkspace = <T>(
  adapter: Adapter,
  state: string,
  work: (workspace: Workspace, folder: string) => Promise<T>,
): Promise<T> =>
  withSite({ state, taskMs: 100, seed: "kept" }, async ({ url, path }) =>
    work(await adapter.open(path, settingsOf(url)), path),
  );

async function make(version: string) {
  for (const { name, files, adapter } of stateAdapters) {
    const state = place(version, name, "cloud.json");
    await mkdir(dirname(state), { recursive: true });
    await withWorkspace(await adapter(), state, async (workspace, folder) => {
      await workspace.write(stack);
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      for (const file of files) {
        const text = await readFile(join(folder, file), "utf8");
        // Stack traces contain the path of the checkout, which does not belong in a fixture.
        await writeFile(
          place(version, name, file),
          text.replaceAll(/project:\/\/\/(\.\.\/)+[^"]*(?=\/node_modules)/g, "project://"),
        );
      }
    });
  }
}

if (import.meta.main) await make(process.argv[2] ?? "");
