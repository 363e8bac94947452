import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { thisMachine } from "../../command/install/machine.ts";
import { programOf } from "../../command/install/program.ts";
import { CommandError } from "../../command/run.ts";
import manifest from "../../package.json" with { type: "json" };
import { openTerraform } from "../engine/terraform.ts";
import { checkFolder } from "../folder/check.ts";
import { copyFolder, workspaceOf } from "../folder/copy.ts";
import { environmentOf } from "../folder/environment.ts";
import { packageParts, rootFor } from "../isolation/place.ts";
import { type Prepared, refuse } from "./prepared.ts";
import { textIn } from "./text.ts";

/** Opens a configuration of Terraform or OpenTofu for a rehearsal. */

export interface ConfigurationOptions {
  readonly root: string;
  readonly folder: string;
  /** Path of the state of the folder. */
  readonly state: string;
  /** Text of the plan that was reviewed. */
  readonly plan: string | undefined;
  /** Paths of the states that `terraform_remote_state` reads, by the names of the data sources. */
  readonly remoteStates: readonly (readonly [name: string, path: string])[];
  readonly allowsCommands: boolean;
}

/** Checks a configuration. Returns a function that opens it. Throws `CommandError`. */
export function prepareConfiguration(options: ConfigurationOptions): Prepared {
  const { root, folder, allowsCommands, plan } = options;
  const outputs = new Map(options.remoteStates.map(([name, path]) => [name, outputsOf(path)]));
  const remote = { allowsCommands, remoteStates: new Set(outputs.keys()) };
  const { refusals, remoteStates } = checkFolder(root, folder, remote);
  refuse(refusals);
  stateIn(options.state);
  const machine = thisMachine();
  const { file: plugin } = programOf("terraform", machine.program, machine.executable, machine.platform);
  const workspace = workspaceOf(join(root, folder), process.env);
  return {
    assumed: otherVersionOf(join(root, folder)),
    async open({ access: _, settings, isIsolated, ...more }) {
      const copy = copyFolder({
        ...{ root, folder, workspace, state: readFileSync(options.state, "utf8") },
        remoteStates: remoteStates.map((one) => ({ ...one, state: outputs.get(one.name) ?? "" })),
      });
      try {
        const others = packageParts(plugin);
        const programs = [more.program];
        const needs = { environment: process.env, programs, others, copy: copy.engineFolder, source: root };
        const engine = await openTerraform({
          ...{ ...more, plugin, copy, allowsCommands, workspace },
          root: isIsolated ? rootFor(needs) : undefined,
          variables: plan === undefined ? {} : variablesIn(plan),
          // The plugin and programs may leave files, which are removed with the copy.
          environment: environmentOf(process.env, copy.engineFolder, settings),
        });
        return { engine, remove: copy.remove };
      } catch (error) {
        copy.remove();
        throw error;
      }
    },
  };
}

/** Returns the fact that the rehearsal has another version of the provider than the lock file of the folder, if that is so. */
function otherVersionOf(folder: string): string[] {
  const file = join(folder, ".terraform.lock.hcl");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [, version] = /^provider "[^"]*\/kcloud\/kcloud" \{\s*version\s*=\s*"([^"]+)"/m.exec(text) ?? [];
  if (version === undefined || version === manifest.version) return [];
  return [
    `the provider ${version} of the lock file plans and applies as ${manifest.version}, which was rehearsed`,
  ];
}

/** Returns a state with the outputs of a state file, and nothing else. Throws `CommandError`. */
function outputsOf(path: string): string {
  const { version, terraform_version, outputs = {} } = stateIn(path);
  return JSON.stringify({
    version,
    terraform_version,
    serial: 1,
    lineage: "rehearsal",
    outputs,
    resources: [],
  });
}

/** Reads a state file. Throws `CommandError` for another form of a state. */
function stateIn(path: string): Readonly<Record<string, unknown>> {
  const state = jsonIn(path);
  if (state?.version === 4) return state;
  throw new CommandError(`${path} is no state file: terraform state pull > ${path} writes one`);
}

function jsonIn(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(textIn(path));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the variables of a plan by name. */
function variablesIn(text: string): Record<string, unknown> {
  const { variables = {} } = JSON.parse(text) as { variables?: Record<string, { value?: unknown }> };
  return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value ?? null]));
}
