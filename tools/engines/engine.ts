import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { cacheFolder } from "./cache.ts";
import { type InstallOptions, install } from "./install.ts";
import { isExecutable } from "./provide.ts";
import { opentofu, pulumi, pulumiYaml, type Recipe, terraform } from "./recipe.ts";

/** The engines that `npm run engines` knows. */
export const engineNames = ["terraform", "pulumi", "opentofu", "pulumi-yaml"] as const;

export type EngineName = (typeof engineNames)[number];

/** A command line that is there to be run. */
export interface Engine {
  readonly name: EngineName;
  readonly version: string;
  /** The absolute path of its command. */
  readonly path: string;
  /** What the command needs on top of the caller's environment. Terraform and OpenTofu also want a TF_CLI_CONFIG_FILE. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The pinned engine, brought into the cache first where it is missing; `pulumi-yaml` is Pulumi with its host of YAML
 * programs. Throws an `EngineError` that says what to do where it cannot be had.
 */
export async function ensureEngine(name: EngineName, options: InstallOptions = {}): Promise<Engine> {
  switch (name) {
    case "terraform":
      return terraformLike(name, terraform, options);
    case "opentofu":
      return terraformLike(name, opentofu, options);
    case "pulumi":
      return pulumiWith(name, await install(pulumi, options), [], options);
    case "pulumi-yaml": {
      const bin = await install(pulumi, options);
      const isOfficial = await isExecutable(join(bin, pulumiYaml.command));
      return pulumiWith(name, bin, isOfficial ? [] : [await install(pulumiYaml, options)], options);
    }
  }
}

/** The engines that speak Terraform's protocol: the pinned ones, and a `terraform` on PATH of another version. */
export async function terraformEngines(options: InstallOptions = {}): Promise<Engine[]> {
  const pinned = [await ensureEngine("terraform", options), await ensureEngine("opentofu", options)];
  const found = await findTerraform();
  return found === undefined || found.version === terraform.version ? pinned : [...pinned, found];
}

/** The `terraform` on PATH, if there is one. */
export async function findTerraform(): Promise<Engine | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, "terraform");
    if (folder === "" || !(await isExecutable(path))) continue;
    const env = { ...terraform.env, PATH: searchPath([]) };
    const { stdout } = await promisify(execFile)(path, ["version", "-json"], {
      env: { ...process.env, ...env },
    });
    const { terraform_version: version } = JSON.parse(stdout) as { terraform_version: string };
    return { name: "terraform", version, path, env };
  }
  return undefined;
}

async function terraformLike(name: EngineName, recipe: Recipe, options: InstallOptions): Promise<Engine> {
  const bin = await install(recipe, options);
  const env = { ...recipe.env, PATH: searchPath([]) };
  return { name, version: recipe.version, path: join(bin, recipe.command), env };
}

function pulumiWith(name: EngineName, bin: string, hosts: string[], options: InstallOptions): Engine {
  const env = {
    ...pulumi.env,
    PULUMI_HOME: join(options.cache ?? cacheFolder(), pulumi.name),
    PATH: searchPath([bin, ...hosts]),
  };
  return { name, version: pulumi.version, path: join(bin, pulumi.command), env };
}

/** A PATH on which engines find these folders first, then the Node that runs this: hosts and plugins are started by name. */
function searchPath(folders: string[]): string {
  return [...folders, dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);
}
