import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { terraformSource } from "../../../provider/core/name.ts";
import { routeOf } from "../../../provider/grpc/grpc.ts";
import type { Ports } from "../../../provider/platform/ports.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { createPlugin } from "../../../provider/pulumi/plugin/plugin.ts";
import { allDefinitions, createProvider } from "../../../provider/terraform/rpc/rpc.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { serveEngines } from "../../support/engine/attached.ts";
import { openProject } from "../../support/engine/pulumi.ts";
import { serveRoutes } from "../../support/pulumi/serve.ts";
import { pulumiOf, terraformOf, type Version } from "./program.ts";

/**
 * Real engines whose provider runs in this process: Terraform attaches to it by its reattach protocol, Pulumi as to a
 * debugged plugin. One provider serves all commands of a stack.
 */

export const engineNames = ["terraform", "pulumi"] as const;
export type EngineName = (typeof engineNames)[number];

/** Object in the state of an engine. */
export interface StoredObject {
  /** Name in the configuration or program. */
  readonly name: string;
  /** Identifier in the cloud. */
  readonly id: string;
  /** Attributes in JSON, without those that are marked as sensitive; only of Terraform. */
  readonly shown?: string;
}

/** State of an engine. */
export interface State {
  readonly objects: readonly StoredObject[];
  /** Values of the outputs in JSON, without those that are marked as sensitive. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Stack of one engine. A command that fails rejects with the output of the engine. */
export interface Workspace {
  /** Creates or changes the stack. */
  apply(version: Version): Promise<void>;
  /** Returns the plan of a change as JSON, as a user passes it to `kcloud review`. */
  plan(version: Version): Promise<string>;
  /** Applies the change that was planned last. */
  applyPlanned(): Promise<void>;
  state(): Promise<State>;
  close(): Promise<void>;
}

/** Timeout of a command in ms. */
const longestMs = 90_000;

/** Returns the ports of a provider that gets its one-time passwords from a function. */
const portsWith = (password: () => string): Ports => ({
  ...realPorts,
  command: async () => ({ status: 0, output: password() }),
});

/** Opens an empty stack. `settings` are provider settings by their environment variables. */
export async function openWorkspace(
  name: EngineName,
  settings: Readonly<Record<string, string>>,
  password: () => string,
): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-truth-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  return name === "terraform"
    ? openTerraform(folder, settings, portsWith(password), remove)
    : openPulumi(folder, settings, portsWith(password), remove);
}

/** Object in the state of Terraform. */
interface StoredInstance {
  readonly attributes: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly sensitive_attributes?: readonly (readonly { readonly value: unknown }[])[];
}

/** Returns the attributes of an object in JSON, without those that are sensitive as a whole or in part. */
function unmarkedIn({ attributes, sensitive_attributes: marked = [] }: StoredInstance): string {
  const names = new Set(marked.map(([first]) => first?.value));
  return JSON.stringify(Object.entries(attributes).filter(([name]) => !names.has(name)));
}

async function openTerraform(
  folder: string,
  settings: Readonly<Record<string, string>>,
  ports: Ports,
  remove: () => Promise<void>,
): Promise<Workspace> {
  const engine = await ensureEngine("terraform");
  const routes = createProvider({ ports, environment: settings, log: () => {} }, () => {}, allDefinitions);
  const provider = await serveEngines(terraformSource, async (path) => routeOf(routes, path));
  const run = async (...args: string[]): Promise<string> => {
    const ended = promisify(execFile)(engine.path, args, {
      cwd: folder,
      env: {
        ...engine.env,
        ...provider.environment,
        HOME: folder,
        TF_IN_AUTOMATION: "1",
        TF_INPUT: "0",
        CHECKPOINT_DISABLE: "1",
      },
      maxBuffer: 2 ** 28,
      timeout: longestMs,
    });
    const { stdout } = await ended.catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`terraform ${args[0]} failed:\n${error.stdout}${error.stderr}`);
    });
    return stdout;
  };
  const write = (version: Version) =>
    writeFile(join(folder, "main.tf.json"), JSON.stringify(terraformOf(version)));
  return {
    async apply(version) {
      await write(version);
      await run("apply", "-auto-approve", "-no-color", "-parallelism=30");
    },
    async plan(version) {
      await write(version);
      await run("plan", "-out=planned", "-no-color", "-parallelism=30");
      return run("show", "-json", "planned");
    },
    async applyPlanned() {
      await run("apply", "-no-color", "-parallelism=30", "planned");
    },
    async state() {
      const { resources, outputs } = JSON.parse(
        await readFile(join(folder, "terraform.tfstate"), "utf8"),
      ) as {
        resources: { type: string; name: string; instances: StoredInstance[] }[];
        outputs: Record<string, { value: unknown; sensitive?: boolean }>;
      };
      return {
        objects: resources
          .filter(({ type }) => type.startsWith("kcloud_"))
          .flatMap(({ name, instances }) =>
            instances.map((one) => ({ name, id: one.attributes.id, shown: unmarkedIn(one) })),
          ),
        outputs: Object.fromEntries(
          Object.entries(outputs).flatMap(([name, { value, sensitive }]) =>
            sensitive === true ? [] : [[name, JSON.stringify(value)]],
          ),
        ),
      };
    },
    async close() {
      await provider.close();
      await remove();
    },
  };
}

async function openPulumi(
  folder: string,
  settings: Readonly<Record<string, string>>,
  ports: Ports,
  remove: () => Promise<void>,
): Promise<Workspace> {
  const engine = await ensureEngine("pulumi-yaml");
  const plugin = await serveRoutes(createPlugin(ports, settings, true).routes);
  const project = await openProject(engine, folder, {
    PULUMI_DEBUG_PROVIDERS: `kcloud:${plugin.port}`,
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  });
  const write = (version: Version) =>
    writeFile(join(folder, "Pulumi.yaml"), JSON.stringify(pulumiOf(version)));
  const run = async (...args: string[]): Promise<string> => {
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => stop?.(), longestMs);
    try {
      const { code, stdout, output } = await project.run(args, {
        watch: (_, signal) => {
          stop = () => signal("SIGKILL");
        },
      });
      if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${output}`);
      return stdout;
    } finally {
      clearTimeout(timer);
    }
  };
  const up = () => run("up", "--yes", "--skip-preview");
  return {
    async apply(version) {
      await write(version);
      await up();
    },
    async plan(version) {
      await write(version);
      return run("preview", "--json", "--show-sames");
    },
    async applyPlanned() {
      await up();
    },
    async state() {
      const all = await project.state();
      const own = all.filter(({ type }) => type.startsWith("kcloud:"));
      const { outputs = {} } = all.find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
      return {
        objects: own.map(({ urn, id = "" }) => ({ name: urn.split("::").at(-1) ?? "", id })),
        // A secret is an encrypted text.
        outputs: Object.fromEntries(
          Object.entries(outputs).map(([name, value]) => [name, JSON.stringify(value)]),
        ),
      };
    },
    async close() {
      plugin.close();
      await remove();
    },
  };
}
