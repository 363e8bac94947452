import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { snakeCase, terraformSource, terraformType } from "../../../provider/core/name.ts";
import { type Member, membersOf, type Shape } from "../../../provider/definition/shape.ts";
import { resources } from "../../../resources/index.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import {
  type Adapter,
  type CommandResult,
  isRef,
  type Planned,
  type Stack,
  type Workspace,
  type WrittenValue,
} from "../../adapter/adapter.ts";
import { pluginPath, program } from "./built.ts";

/** Runs the real Terraform and OpenTofu, with the built plugin from a filesystem mirror. */

export const codeCaches = fileURLToPath(new URL("../../../dist/kcloud-terraform.cache", import.meta.url));
const { version } = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Operating system and architecture of this machine, in the form of a mirror: `linux_amd64`. */
export const system = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

/**
 * Copies the plugin into a mirror in the folder, so that a concurrent build does not affect the engine. Returns the path of the
 * CLI configuration that selects the mirror.
 */
export async function makeMirror(path: string): Promise<string> {
  await mirrorPlugin(path, terraformSource);
  const root = join(path, mirror);
  const config = join(root, "engine.rc");
  const found = `path = ${JSON.stringify(root)}`;
  await writeFile(config, `provider_installation {\n  filesystem_mirror {\n    ${found}\n  }\n}\n`);
  return config;
}

const mirror = ".mirror";

/**
 * Copies the plugin and its code caches into the mirror of a folder as the provider with this source address. For another
 * provider name, writes a script that starts the plugin, because the single executable selects its program by its name.
 */
export async function mirrorPlugin(path: string, source: string): Promise<void> {
  const folder = join(path, mirror, source, version, system);
  await mkdir(folder, { recursive: true });
  const name = source.split("/").at(-1);
  await copyFile(codeCaches, join(folder, basename(codeCaches)));
  const file = join(folder, `terraform-provider-${name}_v${version}`);
  if (name === "kcloud") return copyFile(program("terraform-provider-kcloud"), file);
  const own = join(path, mirror, terraformSource, version, system, `terraform-provider-kcloud_v${version}`);
  await writeFile(file, `#!/bin/sh\nexec '${own}' "$@"\n`, { mode: 0o755 });
}

/** Folder and environment in which an engine runs. */
export interface Folder {
  readonly path: string;
  /** Runs a command to its end. Rejects if the engine crashes, as it does after an invalid response of the plugin. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Sends an interrupt to engine and plugin when it resolves. */
  readonly interruptAfter?: Promise<void>;
}

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

const crashed = 11;

export async function openFolder(
  engine: Engine,
  path: string,
  settings: Readonly<Record<string, string>>,
): Promise<Folder> {
  const shared = {
    ...engine.env,
    PATH: pluginPath(engine.env.PATH ?? ""),
    ...settings,
    HOME: path,
    TF_CLI_CONFIG_FILE: await makeMirror(path),
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
  };
  return {
    path,
    run: (args, { environment = {}, interruptAfter } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(engine.path, args, {
          cwd: path,
          env: { ...shared, ...environment },
          stdio: ["ignore", "pipe", "pipe"],
          // In a separate process group, an interrupt is sent to engine and plugin, as from a terminal.
          detached: true,
        });
        let output = "";
        const take = (part: Buffer) => {
          output += part;
        };
        void interruptAfter?.then(() => process.kill(-(child.pid ?? 0), "SIGINT"));
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        child.once("error", reject);
        child.once("close", (code) => {
          if (code === crashed) reject(new Error(`${engine.name} ${args.join(" ")} crashed:\n${output}`));
          else resolve({ code, output });
        });
      }),
  };
}

/** Configuration that every test starts from. */
export const required = {
  terraform: { required_providers: { kcloud: { source: terraformSource } } },
  provider: { kcloud: {} },
};

/** Options of an adapter of Terraform or OpenTofu. */
export interface TerraformOptions {
  /** Writes every object as an output of the root module, so that a plan shows each attribute that changed. */
  readonly outputs?: true;
}

/** Returns the configuration of a stack. */
export function configuration(stack: Stack, { outputs }: TerraformOptions = {}): object {
  const resource: { [type: string]: { [name: string]: object } } = {};
  for (const { name, resource: kind, inputs } of stack) {
    const fields = membersOf(resources.find((known) => known.name === kind)?.fields ?? {});
    const type = terraformType(kind);
    resource[type] = { ...resource[type], [name]: written(inputs, fields, stack) };
  }
  if (outputs === undefined) return { ...required, resource };
  const output = Object.fromEntries(
    stack.map(({ name, resource: kind }) => [
      name,
      { value: `\${${terraformType(kind)}.${name}}`, sensitive: true },
    ]),
  );
  return { ...required, resource, output };
}

const written = (inputs: object, fields: { readonly [name: string]: Member }, stack: Stack): object =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      snakeCase(name),
      writtenValue(value as WrittenValue, fields[name]?.shape, stack),
    ]),
  );

function writtenValue(value: WrittenValue, shape: Shape | undefined, stack: Stack): unknown {
  if (Array.isArray(value)) return value.map((item) => writtenValue(item, undefined, stack));
  if (isRef(value)) {
    const kind = stack.find(({ name }) => name === value.ref)?.resource ?? "";
    return `\${${terraformType(kind)}.${value.ref}.${snakeCase(value.property)}}`;
  }
  return shape?.kind === "object" && typeof value === "object" && value !== null
    ? written(value, shape.fields, stack)
    : value;
}

const actions: { readonly [actions: string]: Planned[string] } = {
  create: "create",
  update: "update",
  delete: "delete",
  "delete,create": "replace",
  "create,delete": "replace",
};

interface ShownPlan {
  readonly resource_changes?: { readonly name: string; readonly change: { readonly actions: string[] } }[];
  readonly output_changes?: Readonly<Record<string, { readonly actions: string[] }>>;
}
interface ShownState {
  readonly values?: {
    readonly root_module: {
      readonly resources?: { readonly name: string; readonly values: { id: string } }[];
    };
  };
}

/** Runs a command without colours and returns its output; throws if the command fails. */
export async function succeed(
  { run }: Pick<Folder, "run">,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, output } = await run([...args, "-no-color"], options);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

/** Writes a configuration together with the provider. */
export const configure = ({ path }: Folder, configuration: object, file = "main.tf.json") =>
  writeFile(join(path, file), JSON.stringify({ ...required, ...configuration }));

export function terraformAdapter(engine: Engine, options: TerraformOptions = {}): Adapter {
  const open = async (path: string, environment: Readonly<Record<string, string>>): Promise<Workspace> => {
    const folder = await openFolder(engine, path, environment);
    const outcome = async (...args: string[]): Promise<CommandResult> => {
      const { code, output } = await folder.run(args);
      return { ok: code === 0, output };
    };
    let initialised = false;
    const planned = async (): Promise<ShownPlan> => {
      await succeed(folder, ["plan", "-out=planned"]);
      return JSON.parse(await succeed(folder, ["show", "-json", "planned"])) as ShownPlan;
    };
    return {
      async write(stack) {
        await writeFile(
          join(path, "main.tf.json"),
          JSON.stringify(configuration(stack, options), undefined, 2),
        );
        if (!initialised) await succeed(folder, ["init"]);
        initialised = true;
      },
      async plan() {
        const { resource_changes: changes = [] } = await planned();
        return Object.fromEntries(
          changes.flatMap(({ name, change }) => {
            const action = actions[change.actions.join(",")];
            return action === undefined ? [] : [[name, action]];
          }),
        );
      },
      ...(options.outputs && {
        async refreshed() {
          const { output_changes: changes = {} } = await planned();
          return Object.keys(changes).filter((name) => changes[name]?.actions.join() !== "no-op");
        },
      }),
      apply: () => outcome("apply", "-auto-approve", "-no-color"),
      destroy: () => outcome("destroy", "-auto-approve", "-no-color"),
      async ids() {
        const { values } = JSON.parse(await succeed(folder, ["show", "-json"])) as ShownState;
        const found = values?.root_module.resources ?? [];
        return Object.fromEntries(found.map(({ name, values }) => [name, values.id]));
      },
      async import(objects) {
        const outputs: string[] = [];
        for (const { name, resource, id } of objects) {
          const run = await outcome("import", "-no-color", `${terraformType(resource)}.${name}`, id);
          outputs.push(run.output);
          if (!run.ok) return { ok: false, output: outputs.join("") };
        }
        return { ok: true, output: outputs.join("") };
      },
    };
  };
  return { name: `${engine.name} ${engine.version}`, open, impossible: {} };
}
