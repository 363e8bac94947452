import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terraformSource } from "../provider/core/name.ts";
import type { Engine } from "../tools/engines/engine.ts";
import { goProvider } from "./peer/go.ts";
import { terraformPlugin } from "./plugin.ts";
import { untilExit } from "./process.ts";

/** Folders in which commands of Terraform and OpenTofu are timed, by default with a provider from a mirror. */

export interface Provider {
  /** Name in a configuration; undefined for the provider that is part of the engine. */
  readonly name: string | undefined;
  readonly source?: string;
  /** Path of the executable. */
  readonly file?: string;
}

/** Provider of `terraform_data`, which is part of the engine: shows the time of an engine without any plugin. */
export const builtin: Provider = { name: undefined };
export const kcloud = (file = terraformPlugin): Provider => ({
  name: "kcloud",
  source: terraformSource,
  file,
});
export const time = async (): Promise<Provider> => ({
  name: "time",
  source: "registry.terraform.io/hashicorp/time",
  file: await goProvider(),
});

export interface Workspace {
  readonly path: string;
  /** Writes the configuration, with the source of the provider added. */
  write(configuration: object): Promise<void>;
  /** Runs a command and returns its duration in ms. Throws if the command fails. */
  time(...args: string[]): Promise<number>;
  /** Like `time`, with additional environment variables. */
  timeWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<number>;
  /** Removes the state and the saved plan. */
  forget(): Promise<void>;
}

const codeCaches = "kcloud-terraform.cache";
const version = "1.0.0";
const system = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

/** Way in which the engine finds its provider. */
export type Installation =
  /** Installed from a mirror with `init`, like a user's provider: the engine hashes the file before every command. */
  | "installed"
  /** Overridden in the engine's CLI configuration: no `init`, no hash. */
  | "overridden";

/**
 * Copies the provider and its code caches, if it has any, into the folder. Returns the text of a CLI configuration that refers
 * to the copy.
 */
async function place(
  path: string,
  { name, source = "", file = "" }: Provider,
  installation: Installation,
): Promise<string> {
  const root = join(path, ".provider");
  const folder = installation === "installed" ? join(root, source, version, system) : root;
  await mkdir(folder, { recursive: true });
  if (name !== undefined) await copyFile(file, join(folder, `terraform-provider-${name}_v${version}`));
  const caches = join(dirname(file), codeCaches);
  if (existsSync(caches)) await copyFile(caches, join(folder, codeCaches));
  const quoted = JSON.stringify(root);
  return installation === "installed"
    ? `provider_installation {\n  filesystem_mirror {\n    path = ${quoted}\n  }\n}\n`
    : `provider_installation {\n  dev_overrides {\n    "${source}" = ${quoted}\n  }\n}\n`;
}

/** Opens an empty workspace in the folder `path` without running `init`. `settings` are environment variables. */
export async function openWorkspace(
  engine: Engine,
  path: string,
  provider: Provider,
  settings: Readonly<Record<string, string>> = {},
  installation: Installation = "installed",
): Promise<Workspace> {
  const config = join(path, "engine.rc");
  await mkdir(path, { recursive: true });
  await writeFile(config, await place(path, provider, installation));
  const environment = {
    ...engine.env,
    ...settings,
    HOME: path,
    TF_CLI_CONFIG_FILE: config,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
  };
  const needs =
    provider.name === undefined
      ? {}
      : { terraform: { required_providers: { [provider.name]: { source: provider.source } } } };
  const timeWith: Workspace["timeWith"] = (more, ...args) =>
    untilExit(engine.path, [...args, "-no-color"], { cwd: path, environment: { ...environment, ...more } });
  return {
    path,
    timeWith,
    write: (configuration) =>
      writeFile(join(path, "main.tf.json"), JSON.stringify({ ...needs, ...configuration })),
    time: (...args) => timeWith({}, ...args),
    async forget() {
      for (const file of ["terraform.tfstate", "terraform.tfstate.backup", "planned"])
        await rm(join(path, file), { force: true });
    },
  };
}
