import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { className, snakeCase, terraformSource, terraformType } from "../../provider/core/name.ts";
import type { Engine } from "../engines/engine.ts";
import type { Adapter, Project } from "./adapter.ts";
import { succeed } from "./command.ts";
import type { Revision } from "./revision.ts";
import { isRef, type Stack } from "./stack.ts";

const system = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

/** Attribute of a provider's schema, with `nested_type` if it has nested attributes. */
interface Attribute {
  readonly nested_type?: { readonly attributes: Attributes };
}
type Attributes = Readonly<Record<string, Attribute>>;

export interface SchemaDocument {
  readonly provider_schemas: Readonly<
    Record<
      string,
      {
        readonly resource_schemas: Readonly<
          Record<string, { readonly block: { readonly attributes: Attributes } }>
        >;
      }
    >
  >;
}

export interface TerraformFolder {
  /** Runs a command and returns its standard output. Rejects if the command fails. */
  run(...args: string[]): Promise<string>;
  schema(): Promise<SchemaDocument>;
}

const requirement = {
  terraform: { required_providers: { kcloud: { source: terraformSource } } },
  provider: { kcloud: {} },
};

/** Prepares a folder in which the engine finds the plugin of the revision, and runs `init` in the folder. */
export async function openTerraform(
  engine: Engine,
  { root }: Revision,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<TerraformFolder> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const mirror = join(folder, ".mirror");
  const place = join(mirror, terraformSource, version, system);
  await mkdir(place, { recursive: true });
  await copyFile(
    join(root, "dist/terraform-provider-kcloud"),
    join(place, `terraform-provider-kcloud_v${version}`),
  );
  const configuration = join(folder, "engine.rc");
  await writeFile(
    configuration,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  const env = {
    PATH: process.env.PATH,
    ...engine.env,
    ...settings,
    HOME: folder,
    TF_CLI_CONFIG_FILE: configuration,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
  };
  const run = (...args: string[]) => succeed(engine.path, args, { cwd: folder, env });
  await writeFile(join(folder, "main.tf.json"), JSON.stringify(requirement));
  await run("init", "-no-color");
  return { run, schema: async () => JSON.parse(await run("providers", "schema", "-json")) };
}

/** Returns the configuration of a stack in the form that a user of the engine writes. */
function configurationOf(stack: Stack, schema: SchemaDocument): object {
  const schemas = Object.values(schema.provider_schemas)[0]?.resource_schemas ?? {};
  const resource: Record<string, Record<string, object>> = {};
  for (const { name, resource: kind, inputs } of stack) {
    const type = terraformType(kind);
    const attributes = schemas[type]?.block.attributes;
    if (attributes === undefined) throw new Error(`the provider's schema has no ${type}`);
    resource[type] = { ...resource[type], [name]: writtenObject(inputs, attributes, stack) };
  }
  return { ...requirement, resource };
}

const writtenObject = (inputs: object, attributes: Attributes, stack: Stack): object =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const attribute = snakeCase(name);
      return [attribute, written(value, attributes[attribute], stack)];
    }),
  );

function written(value: unknown, attribute: Attribute | undefined, stack: Stack): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, attribute, stack));
  if (isRef(value)) {
    const kind = stack.find(({ name }) => name === value.ref)?.resource ?? "";
    return `\${${terraformType(kind)}.${value.ref}.${snakeCase(value.property)}}`;
  }
  const attributes = attribute?.nested_type?.attributes;
  return attributes !== undefined && typeof value === "object" && value !== null
    ? writtenObject(value, attributes, stack)
    : value;
}

interface State {
  readonly values?: {
    readonly root_module: {
      readonly resources?: readonly { readonly name: string; readonly values: { readonly id: string } }[];
    };
  };
}

interface StateFile {
  readonly resources: readonly {
    readonly name: string;
    readonly instances: readonly { readonly private?: string }[];
  }[];
}

interface PlanDocument {
  readonly resource_changes?: readonly {
    readonly name: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
}

function projectIn(
  { run }: TerraformFolder,
  folder: string,
  configure: (stack: Stack) => Promise<string>,
): Project {
  return {
    write: async (stack) => writeFile(join(folder, "main.tf.json"), await configure(stack)),
    async apply() {
      await run("apply", "-auto-approve", "-no-color");
    },
    async plan() {
      await run("plan", "-out=planned", "-no-color");
      const { resource_changes: changes = [] } = JSON.parse(
        await run("show", "-json", "planned"),
      ) as PlanDocument;
      return changes
        .filter(({ change }) => change.actions.join() !== "no-op")
        .map(({ name, change }) => `${name}: ${change.actions.join(", ")}`);
    },
    async destroy() {
      await run("destroy", "-auto-approve", "-no-color");
    },
    async ids() {
      const { values } = JSON.parse(await run("show", "-json")) as State;
      return (values?.root_module.resources ?? []).map(({ name, values: { id } }) => [name, id]);
    },
    async state() {
      const file = await readFile(join(folder, "terraform.tfstate"), "utf8");
      const { resources } = JSON.parse(file) as StateFile;
      return resources.flatMap(({ name, instances }) =>
        instances.map(({ private: encoded, ...state }) => ({
          name,
          state: { ...state, private: encoded && JSON.parse(Buffer.from(encoded, "base64").toString()) },
        })),
      );
    },
  };
}

/** Adapter for Terraform or OpenTofu with a configuration in JSON. */
export const terraformAdapter = (engine: Engine): Adapter => ({
  async open(revision, folder, settings) {
    const opened = await openTerraform(engine, revision, folder, settings);
    const schema = await opened.schema();
    return projectIn(opened, folder, async (stack) => JSON.stringify(configurationOf(stack, schema)));
  },
});

const app = fileURLToPath(new URL("cdktf-app.ts", import.meta.url));

/**
 * Adapter for an app of CDKTF or CDKTN with the revision's bindings; the engine applies the configuration of the app.
 */
export const cdktfAdapter = (flavour: "cdktf" | "cdktn", engine: Engine): Adapter => ({
  async open(revision, folder, settings) {
    const opened = await openTerraform(engine, revision, folder, settings);
    return projectIn(opened, folder, (stack) => {
      const constructs = stack.map((item) => ({ ...item, className: className(item.resource) }));
      const input = JSON.stringify(constructs);
      return succeed(process.execPath, [app, revision.root, flavour], {
        cwd: folder,
        env: process.env,
        input,
      });
    });
  },
});
