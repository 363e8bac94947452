import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { terraformType } from "../../provider/core/name.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { withSite } from "../support/engine/site.ts";
import { succeed } from "../support/engine/terraform.ts";
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
const make = (name: string): Promise<StoredState["resources"][number]> =>
  withSite({ taskMs: 200 }, async ({ url, open }) => {
    const folder = await open(await ensureEngine("terraform"), storageSettings(url));
    await copyFile(new URL(`../../examples/${name}/main.tf`, import.meta.url), join(folder.path, "main.tf"));
    for (const args of [["init"], ["apply", "-auto-approve"]]) await succeed(folder, args);
    const { resources } = await readState(join(folder.path, "terraform.tfstate"));
    const found = resources.find(({ type }) => type === terraformType(name));
    if (found === undefined) throw new Error(`the example of ${name} creates no ${terraformType(name)}`);
    return { ...found, instances: found.instances.slice(0, 1) };
  });

if (import.meta.main) {
  const state = await readState();
  const made: StoredState["resources"][number][] = [];
  for (const name of process.argv.slice(2)) made.push(await make(name));
  const others = state.resources.filter(({ type }) => !made.some((one) => one.type === type));
  const resources = [...others, ...made].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  await writeFile(file, `${JSON.stringify({ ...state, resources }, undefined, 2)}\n`);
}
