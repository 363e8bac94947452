import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { className, pulumiToken } from "../../../provider/core/name.ts";
import { cacheFolder } from "../../../tools/engines/cache.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import type { Adapter, CommandResult, Planned, Stack } from "../../adapter/adapter.ts";
import { programs } from "./built.ts";

/** Runs the real Pulumi CLI, with the built package installed as in a user's program. */

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

export type Kind = "pulumi" | "dynamic";

/** Pulumi's own resource options, by the name of the resource. */
export interface Options {
  readonly [name: string]: { readonly [option: string]: unknown };
}

/** Project with one stack, `dev`, whose state is a file in its folder. */
export interface Project {
  readonly path: string;
  /** Writes a program that creates the stack with the classes of `kind`. */
  write(kind: Kind, stack: Stack, options?: Options): Promise<void>;
  /** Writes a given program. */
  program(text: string): Promise<void>;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs a command and returns its standard output; throws if it fails. */
  done(...args: string[]): Promise<string>;
  /** Returns the resources in the checkpoint on disk. */
  state(): Promise<StateResource[]>;
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly initErrors?: string[];
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with all output so far after each new part of it; may send a signal to the command. */
  readonly watch?: (output: string, signal: (name: NodeJS.Signals) => void) => void;
}

export interface Run {
  readonly code: number | null;
  /** Standard output only; the engine writes messages to standard output and standard error. */
  readonly stdout: string;
  readonly output: string;
}

const program = (kind: Kind): string => `"use strict";
const adapters = require("@kcloud/iac/${kind}");
const { stack, options } = require("./stack.json");
const made = {};
const resolve = (value) => {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if ("ref" in value && "property" in value) return made[value.ref][value.property];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item)]));
};
for (const { name, type, inputs } of stack) made[name] = new adapters[type](name, resolve(inputs), options[name]);
`;

/** Runs one command of the CLI to its end. */
export const runPulumi = (
  engine: Engine,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  watch?: RunOptions["watch"],
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = spawn(engine.path, ["--non-interactive", "--color", "never", ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { stdout: "", output: "" };
    const take = (part: Buffer, name: "stdout" | "stderr") => {
      printed.output += part;
      if (name === "stdout") printed.stdout += part;
      watch?.(printed.output, (signal) => child.kill(signal));
    };
    child.stdout.on("data", (part: Buffer) => take(part, "stdout"));
    child.stderr.on("data", (part: Buffer) => take(part, "stderr"));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...printed }));
  });

/** Environment variable that enables Node's compile cache, with which a program starts in three quarters of the time. */
export const compileCache = { NODE_COMPILE_CACHE: join(cacheFolder(), "node") } as const;

const passphrase = { PULUMI_CONFIG_PASSPHRASE: "test" } as const;

const definition = `name: proj
runtime:
  name: nodejs
  options:
    typescript: false
main: index.js
plugins:
  providers:
    - name: kcloud
      path: ${programs}
`;

/** Writes the backend and the configuration of a new stack into a folder, as `pulumi stack init` does. */
type NewStack = (path: string) => Promise<void>;

/** Initializes a stack and returns a function that copies it, since Pulumi needs a second to derive the key of a new one. */
async function initializeStack(engine: Engine): Promise<NewStack> {
  const template = await mkdtemp(join(tmpdir(), "kcloud-stack-"));
  try {
    await writeFile(join(template, "Pulumi.yaml"), definition);
    const environment = {
      ...process.env,
      ...engine.env,
      ...passphrase,
      PULUMI_BACKEND_URL: `file://${template}`,
    };
    const { code, output } = await runPulumi(engine, ["stack", "init", "dev"], template, environment);
    if (code !== 0) throw new Error(`pulumi stack init ended with ${code}:\n${output}`);
    const configuration = await readFile(join(template, "Pulumi.dev.yaml"), "utf8");
    const stack = await readFile(join(template, ".pulumi/stacks/proj/dev.json"), "utf8");
    const meta = await readFile(join(template, ".pulumi/meta.yaml"), "utf8");
    return async (path) => {
      await mkdir(join(path, ".pulumi/stacks/proj"), { recursive: true });
      await writeFile(join(path, "Pulumi.dev.yaml"), configuration);
      await writeFile(join(path, ".pulumi/stacks/proj/dev.json"), stack);
      await writeFile(join(path, ".pulumi/meta.yaml"), meta);
    };
  } finally {
    await rm(template, { recursive: true, force: true });
  }
}

let newStack: Promise<NewStack> | undefined;

/** Opens an empty project; `settings` are provider settings by their environment variables. */
export async function openProject(
  engine: Engine,
  path: string,
  settings: Readonly<Record<string, string>>,
): Promise<Project> {
  const environment = {
    ...process.env,
    ...engine.env,
    ...compileCache,
    ...passphrase,
    PULUMI_BACKEND_URL: `file://${path}`,
    PULUMI_STACK: "dev",
    ...settings,
  };
  await mkdir(path, { recursive: true });
  await symlink(modules, join(path, "node_modules"));
  await writeFile(join(path, "package.json"), JSON.stringify({ name: "proj", private: true }));
  await writeFile(join(path, "Pulumi.yaml"), definition);
  newStack ??= initializeStack(engine);
  await (await newStack)(path);
  const run = (args: readonly string[], { environment: more = {}, watch }: RunOptions = {}): Promise<Run> =>
    runPulumi(engine, args, path, { ...environment, ...more }, watch);
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, output } = await run(args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${output}`);
    return stdout;
  };
  return {
    path,
    run,
    done,
    program: (text) => writeFile(join(path, "index.js"), text),
    async write(kind, stack, options = {}) {
      const items = stack.map(({ name, resource, inputs }) => ({ name, type: className(resource), inputs }));
      await writeFile(join(path, "stack.json"), JSON.stringify({ stack: items, options }));
      await writeFile(join(path, "index.js"), program(kind));
    },
    async state() {
      const file = join(path, ".pulumi/stacks/proj/dev.json");
      const { checkpoint } = JSON.parse(await readFile(file, "utf8")) as {
        checkpoint: { latest?: { resources?: StateResource[] } };
      };
      return checkpoint.latest?.resources ?? [];
    },
  };
}

/** Returns the name in the program, from `urn:pulumi:dev::proj::TYPE::NAME`. */
export const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

/** Planned actions by the operation of a preview step; a replacement has three steps. */
const operations: { readonly [operation: string]: Planned[string] } = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "replace",
};

interface Preview {
  readonly steps?: readonly { readonly op: string; readonly urn: string }[];
}

/** Cells of the lifecycle table that the classes of a kind make impossible, each with its reason. */
const impossible: Readonly<Record<Kind, Adapter["impossible"]>> = {
  pulumi: {},
  dynamic: {
    import: "Pulumi imports by an id alone, and a dynamic provider is found by a property of the object",
  },
};

export function pulumiAdapter(engine: Engine, kind: Kind): Adapter {
  return {
    name: kind === "pulumi" ? "the Pulumi plugin" : "Pulumi's dynamic classes",
    impossible: impossible[kind],
    // A step without a change stores the inputs of the others. These have a content, or a group with an id.
    recordsByUpdate: (name) => ["object", "vpc"].includes(name) || name.startsWith("document-"),
    async open(path, environment) {
      const project = await openProject(engine, path, environment);
      const outcome = async (...args: string[]): Promise<CommandResult> => {
        const { code, output } = await project.run(args);
        return { ok: code === 0, output };
      };
      return {
        write: (stack) => project.write(kind, stack),
        async plan() {
          const { steps = [] } = JSON.parse(await project.done("preview", "--refresh", "--json")) as Preview;
          return Object.fromEntries(
            steps.flatMap(({ op, urn }) => {
              const planned = urn.includes("pulumi:pulumi:Stack") ? undefined : operations[op];
              return planned === undefined ? [] : [[nameOf(urn), planned]];
            }),
          );
        },
        async refreshed() {
          const exported = async () => {
            const text = await project.done("stack", "export", "--show-secrets");
            const { deployment } = JSON.parse(text) as { deployment: { resources: StateResource[] } };
            return deployment.resources.map(({ urn, outputs }) => [nameOf(urn), outputs] as const);
          };
          const before = new Map(await exported());
          await project.done("refresh", "--yes", "--skip-preview");
          const after = await exported();
          return after.flatMap(([name, outputs]) =>
            isDeepStrictEqual(outputs, before.get(name)) ? [] : [name],
          );
        },
        apply: () => outcome("up", "--refresh", "--yes", "--skip-preview"),
        destroy: () => outcome("destroy", "--yes", "--skip-preview"),
        async ids() {
          const managed = (await project.state()).filter(({ type }) => type.includes("kcloud:"));
          const own = managed.filter(({ type }) => !type.startsWith("pulumi:providers:"));
          return Object.fromEntries(own.map(({ urn, id = "" }) => [nameOf(urn), id]));
        },
        async import(objects) {
          const entries = objects.map(({ name, resource, id }) => ({
            type: pulumiToken(resource),
            name,
            id,
          }));
          await writeFile(join(path, "import.json"), JSON.stringify({ resources: entries }));
          const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
          return outcome("import", "--file", "import.json", ...options);
        },
      };
    },
  };
}
