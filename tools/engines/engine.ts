import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { cacheFolder } from "./cache.ts";
import { type InstallOptions, install } from "./install.ts";
import { isExecutable } from "./provide.ts";
import {
  acceptance,
  opentofu,
  pulumi,
  pulumiCodegen,
  pulumiLanguages,
  pulumiYaml,
  type Recipe,
  terraform,
  tfplugindocs,
} from "./recipe.ts";

/**
 * Programs that `npm run engines` can install: the engines, Pulumi's code generators, the checker of the pages for a registry, and
 * the acceptance harness of providers.
 */
export const engineNames = [
  "terraform",
  "pulumi",
  "opentofu",
  "pulumi-yaml",
  "pulumi-languages",
  "pulumi-codegen",
  "tfplugindocs",
  "acceptance",
] as const;

export type EngineName = (typeof engineNames)[number];

/** Command-line tool of an engine, ready to run. */
export interface Engine {
  readonly name: EngineName;
  readonly version: string;
  /** Absolute path of the command. */
  readonly path: string;
  /**
   * Environment variables that the command needs in addition to the caller's. Terraform and OpenTofu also need
   * TF_CLI_CONFIG_FILE.
   */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the pinned engine, which is first installed in the cache if it is missing. `pulumi-yaml` is Pulumi with its
 * language host for YAML programs, `pulumi-languages` Pulumi with those for Python and Go. Throws an `EngineError` with the remedy if the engine cannot be installed.
 */
export async function ensureEngine(name: EngineName, options: InstallOptions = {}): Promise<Engine> {
  switch (name) {
    case "terraform":
      return terraformLike(name, terraform, options);
    case "opentofu":
      return terraformLike(name, opentofu, options);
    case "pulumi":
      return pulumiWith(name, await install(pulumi, options), [], options);
    case "pulumi-codegen":
    case "tfplugindocs":
    case "acceptance": {
      const recipe = { "pulumi-codegen": pulumiCodegen, tfplugindocs, acceptance }[name];
      const bin = await install(recipe, options);
      return { name, version: recipe.version, path: join(bin, recipe.command), env: {} };
    }
    case "pulumi-yaml":
    case "pulumi-languages": {
      const hosts = { "pulumi-yaml": pulumiYaml, "pulumi-languages": pulumiLanguages }[name];
      const bin = await install(pulumi, options);
      const isOfficial = await isExecutable(join(bin, hosts.command));
      return pulumiWith(name, bin, isOfficial ? [] : [await install(hosts, options)], options);
    }
  }
}

/**
 * Returns the engines with Terraform's protocol: the pinned ones, and the `terraform` on PATH if it has another
 * version.
 */
export async function terraformEngines(options: InstallOptions = {}): Promise<Engine[]> {
  const pinned = [await ensureEngine("terraform", options), await ensureEngine("opentofu", options)];
  const found = await findTerraform();
  return found === undefined || found.version === terraform.version ? pinned : [...pinned, found];
}

/** Returns the first `terraform` on PATH; undefined if there is none. */
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

/**
 * Returns a PATH that begins with these folders, then the folder of the running Node: engines start hosts and plugins
 * by name.
 */
function searchPath(folders: string[]): string {
  return [...folders, dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);
}
