import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { className } from "../../provider/core/name.ts";
import type { Engine } from "../engines/engine.ts";
import type { Adapter, Project } from "./adapter.ts";
import { succeed } from "./command.ts";
import type { Revision } from "./revision.ts";
import { isRef, type Stack } from "./stack.ts";

/** Kind of program: the parts of `Pulumi.yaml` that depend on the stack, and further files. */
interface Program {
  project(stack: Stack): object;
  files(stack: Stack): Readonly<Record<string, string>>;
}

/** Program for Node with the classes of `@kcloud/iac/dynamic`. */
const dynamicProgram: Program = {
  project: () => ({ runtime: { name: "nodejs", options: { typescript: false } }, main: "index.js" }),
  files: (stack) => ({
    "stack.json": JSON.stringify(
      stack.map(({ name, resource, inputs }) => ({ name, className: className(resource), inputs })),
    ),
    "index.js": `"use strict";
const classes = require("@kcloud/iac/dynamic");
const made = {};
const resolve = (value) => {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if ("ref" in value && "property" in value) return made[value.ref][value.property];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item)]));
};
for (const { name, className, inputs } of require("./stack.json"))
  made[name] = new classes[className](name, resolve(inputs));
`,
  }),
};

/** YAML program with the resources of the plugin. */
const yamlProgram: Program = {
  project: (stack) => ({
    runtime: "yaml",
    plugins: { providers: [{ name: "kcloud", path: "./node_modules/@kcloud/iac/dist" }] },
    resources: Object.fromEntries(
      stack.map(({ name, resource, inputs }) => [
        name,
        { type: `kcloud:${className(resource)}`, properties: expression(inputs) },
      ]),
    ),
  }),
  files: () => ({}),
};

function expression(value: unknown): unknown {
  if (isRef(value)) return `\${${value.ref}.${value.property}}`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(expression);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, expression(part)]));
}

interface Checkpoint {
  readonly checkpoint: {
    readonly latest?: {
      readonly resources?: readonly { readonly urn: string; readonly type: string; readonly id?: string }[];
    };
  };
}

interface Preview {
  readonly steps?: readonly { readonly op: string; readonly urn: string }[];
}

/** Returns the name in the program, from `urn:pulumi:dev::compared::TYPE::NAME`. */
const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

/** Returns the environment of an engine that stores its state in the folder. */
export const pulumiEnvironment = (engine: Engine, folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...engine.env,
  PULUMI_BACKEND_URL: `file://${folder}`,
  PULUMI_CONFIG_PASSPHRASE: "compare",
});

async function open(
  engine: Engine,
  program: Program,
  { root }: Revision,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Project> {
  await mkdir(folder, { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "compared", private: true }));
  const env = { ...pulumiEnvironment(engine, folder), ...settings };
  const run = (...args: string[]) =>
    succeed(engine.path, ["--non-interactive", "--color", "never", ...args], { cwd: folder, env });
  const write = async (stack: Stack) => {
    // Every JSON text is a YAML text.
    await writeFile(
      join(folder, "Pulumi.yaml"),
      JSON.stringify({ name: "compared", ...program.project(stack) }),
    );
    for (const [name, text] of Object.entries(program.files(stack)))
      await writeFile(join(folder, name), text);
  };
  const managed = async () => {
    const file = join(folder, ".pulumi/stacks/compared/dev.json");
    const { checkpoint } = JSON.parse(await readFile(file, "utf8")) as Checkpoint;
    return (checkpoint.latest?.resources ?? []).filter(
      ({ type }) => type.includes("kcloud:") && !type.startsWith("pulumi:providers:"),
    );
  };
  await write([]);
  await run("stack", "init", "dev");
  return {
    write,
    async apply() {
      await run("up", "--refresh", "--yes", "--skip-preview");
    },
    async plan() {
      const { steps = [] } = JSON.parse(await run("preview", "--refresh", "--json")) as Preview;
      return steps
        .filter(({ op, urn }) => op !== "same" && op !== "refresh" && !urn.includes("pulumi:pulumi:Stack"))
        .map(({ op, urn }) => `${nameOf(urn)}: ${op}`);
    },
    async destroy() {
      await run("destroy", "--yes", "--skip-preview");
    },
    async ids() {
      return (await managed()).map(({ urn, id = "" }) => [nameOf(urn), id]);
    },
    async state() {
      return (await managed()).map((state) => ({ name: nameOf(state.urn), state }));
    },
  };
}

/** Adapter for the Pulumi plugin with a YAML program. `engine` must include the language host for YAML. */
export const yamlAdapter = (engine: Engine): Adapter => ({
  open: (revision, folder, settings) => open(engine, yamlProgram, revision, folder, settings),
});

/** Adapter for the dynamic classes with a program for Node. */
export const dynamicAdapter = (engine: Engine): Adapter => ({
  open: (revision, folder, settings) => open(engine, dynamicProgram, revision, folder, settings),
});
