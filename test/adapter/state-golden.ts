import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmulator } from "../../emulator/emulator.ts";
import { terraformType } from "../../provider/core/name.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openFolder } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";

/**
 * State that Terraform stores of a resource with the first version of its schema. `npm run state -- NAME…` creates it from
 * the example when the resource is new; it never changes later.
 */

const file = fileURLToPath(new URL("../golden/state/terraform-0.json", import.meta.url));

export interface StoredState {
  readonly resources: {
    readonly type: string;
    readonly instances: {
      readonly schema_version: number;
      readonly attributes: object;
      readonly private?: string;
    }[];
  }[];
}

export const readState = async (path: string = file): Promise<StoredState> =>
  JSON.parse(await readFile(path, "utf8"));

/** Returns the first object of the resource in the state of its example. */
async function make(name: string): Promise<StoredState["resources"][number]> {
  const server = await createEmulator({ taskMs: 200 }).listen();
  const folder = await mkdtemp(join(tmpdir(), "kcloud-state-"));
  try {
    await copyFile(new URL(`../../examples/${name}/main.tf`, import.meta.url), join(folder, "main.tf"));
    const { run } = await openFolder(await ensureEngine("terraform"), folder, {
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      ...storageSettings(server.url),
    });
    for (const args of [["init"], ["apply", "-auto-approve"]]) {
      const { code, output } = await run(args);
      if (code !== 0) throw new Error(output);
    }
    const { resources } = await readState(join(folder, "terraform.tfstate"));
    const found = resources.find(({ type }) => type === terraformType(name));
    if (found === undefined) throw new Error(`the example of ${name} creates no ${terraformType(name)}`);
    return { ...found, instances: found.instances.slice(0, 1) };
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const state = await readState();
  const made: StoredState["resources"][number][] = [];
  for (const name of process.argv.slice(2)) made.push(await make(name));
  const others = state.resources.filter(({ type }) => !made.some((one) => one.type === type));
  const resources = [...others, ...made].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  await writeFile(file, `${JSON.stringify({ ...state, resources }, undefined, 2)}\n`);
}
