import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { cacheFolder } from "../../tools/engines/cache.ts";
import { type Engine, ensureEngine, terraformEngines } from "../../tools/engines/engine.ts";
import type { Stack } from "../adapter/adapter.ts";
import { openProject, type Project } from "../support/engine/pulumi.ts";
import { yamlAdapter } from "../support/engine/pulumi-yaml.ts";
import { configure, openFolder, required, succeed, terraformAdapter } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";
import { after, before } from "./change.ts";
import { type PulumiScene, pulumiScenes, type TerraformScene, terraformScenes } from "./scene.ts";

/**
 * `node test/review/record.ts [NAME…]`: plans the change of `change.ts` with each real engine, and the scenes of `scene.ts`,
 * and stores the plans in `test/review/fixture/`. With names, records only the fixtures whose names begin with one of them.
 * Needs `npm run build` and `npm run engines`.
 */

export const fixtureFolder = new URL("./fixture/", import.meta.url).pathname;

/** Runs the work with an emulator and an empty folder, and removes both. */
async function withCloud<T>(
  work: (path: string, settings: Record<string, string>, emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = createEmulator({ taskMs: 50 });
  const server = await emulator.listen();
  const path = await mkdtemp(join(tmpdir(), "kcloud-review-"));
  try {
    return await work(
      path,
      {
        SERVICE_BASE_URL: server.url,
        SERVICE_API_KEY: "emulator-key",
        SERVICE_REGION: "In-Bangalore-1",
        SERVICE_MAX_REQUESTS_PER_SECOND: "0",
        // A read that finds nothing proves immediately that the object was deleted.
        SERVICE_SETTLE_SECONDS: "0",
        ...storageSettings(server.url),
      },
      emulator,
    );
  } finally {
    await server.close();
    await rm(path, { recursive: true, force: true });
  }
}

const repository = dirname(dirname(import.meta.dirname));

/**
 * Returns a fixture without paths of this machine: those of the program, which Pulumi names in messages, and those of
 * the package, which it names in positions relative to the program.
 */
function portable(text: string, path: string): string {
  return text
    .replaceAll(path, "/program")
    .replaceAll(repository, "/package")
    .replaceAll(cacheFolder(), "/cache")
    .replace(/project:\/\/\/(?:\.\.\/)+[^"#]*?node_modules\//g, "project:///node_modules/");
}

/** Returns the plan of a change in Terraform's JSON format. */
export const terraformPlan = (engine: Engine, from: Stack, to: Stack): Promise<string> =>
  withCloud(async (path, settings) => {
    const workspace = await terraformAdapter(engine).open(path, settings);
    await workspace.write(from);
    const applied = await workspace.apply();
    if (!applied.ok) throw new Error(applied.output);
    await workspace.write(to);
    await workspace.plan();
    return succeed(await openFolder(engine, path, settings), ["show", "-json", "planned"]);
  });

/** Returns the plan of a scene in Terraform's JSON format. */
const scenePlan = (engine: Engine, scene: TerraformScene): Promise<string> =>
  withCloud(async (path, settings, emulator) => {
    const folder = await openFolder(engine, path, settings);
    const write = async (configuration: object): Promise<void> => {
      const { modules = {}, ...root } = configuration as { modules?: Record<string, object> };
      for (const [name, module] of Object.entries(modules)) {
        await mkdir(join(path, name), { recursive: true });
        // A module that is called several times must not configure a provider.
        const { terraform } = required;
        await writeFile(join(path, name, "main.tf.json"), JSON.stringify({ terraform, ...module }));
      }
      await configure(folder, root);
    };
    await scene.prepare?.({ emulator, url: settings.SERVICE_BASE_URL ?? "" });
    await write(scene.before);
    await succeed(folder, ["init"]);
    await succeed(folder, ["apply", "-auto-approve"]);
    for (const { configuration, fails } of scene.steps ?? []) {
      await write(configuration);
      const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"]);
      if ((code !== 0) !== (fails === true))
        throw new Error(`${scene.name}: apply ended with ${code}:\n${output}`);
    }
    for (const args of scene.commands ?? []) await succeed(folder, args);
    scene.outside?.(emulator);
    await write(scene.after ?? scene.before);
    await succeed(folder, ["init"]);
    const { code, output } = await folder.run([
      "plan",
      "-out=planned",
      "-no-color",
      ...(scene.options ?? []),
    ]);
    if ((code !== 0) !== (scene.isErrored === true))
      throw new Error(`${scene.name}: plan ended with ${code}:\n${output}`);
    return portable(await succeed(folder, ["show", "-json", "planned"]), path);
  });

/** Returns the preview of a change: the digest and the event log. */
export const pulumiPreview = (
  engine: Engine,
  kind: "pulumi" | "dynamic",
  from: Stack,
  to: Stack,
): Promise<Preview> =>
  withCloud(async (path, settings) => {
    const project = await openProject(engine, path, settings);
    await project.write(kind, from);
    await project.done("up", "--yes", "--skip-preview");
    await project.write(kind, to);
    return preview(project);
  });

interface Preview {
  readonly digest: string;
  readonly events: string;
}

/** Runs a preview and returns its digest and its event log. */
async function preview(project: Project, command = ["preview", "--json"]): Promise<Preview> {
  const log = join(project.path, "events.json");
  const { code, stdout, output } = await project.run([...command, "--event-log", log], {
    environment: { PULUMI_DEBUG_COMMANDS: "1" },
  });
  if (code !== 0) throw new Error(`pulumi ${command.join(" ")} ended with ${code}:\n${output}`);
  return {
    digest: portable(stdout, project.path),
    events: portable(await readFile(log, "utf8"), project.path),
  };
}

const pulumiScenePlan = (engine: Engine, scene: PulumiScene): Promise<Preview> =>
  withCloud(async (path, settings, emulator) => {
    const project = await openProject(engine, path, settings);
    const ids = (await scene.prepare?.({ emulator, url: settings.SERVICE_BASE_URL ?? "" })) ?? [];
    await project.program(scene.before);
    await project.done("up", "--yes", "--skip-preview");
    if (scene.failing !== undefined) {
      await project.program(scene.failing);
      const { code, output } = await project.run(["up", "--yes", "--skip-preview"]);
      if (code === 0) throw new Error(`${scene.name}: up did not fail:\n${output}`);
    }
    scene.outside?.(emulator);
    await project.program(
      ids.reduce((text, id, at) => text.replaceAll(`$ID${at}`, id), scene.after ?? scene.before),
    );
    return preview(project, scene.command === undefined ? undefined : [...scene.command]);
  });

/** Returns the preview of a program in YAML. */
const yamlPreview = (engine: Engine, from: Stack, to: Stack): Promise<Preview> =>
  withCloud(async (path, settings) => {
    const workspace = await yamlAdapter(engine).open(path, settings);
    await workspace.write(from);
    const applied = await workspace.apply();
    if (!applied.ok) throw new Error(applied.output);
    await workspace.write(to);
    const environment = { ...settings, PULUMI_DEBUG_COMMANDS: "1" };
    const project = await reopened(engine, path, environment);
    return preview(project);
  });

/** Returns a project in a folder that an adapter has already filled. */
async function reopened(engine: Engine, path: string, settings: Record<string, string>): Promise<Project> {
  const program = await readFile(join(path, "Pulumi.yaml"), "utf8");
  const stack = await readFile(join(path, ".pulumi/stacks/proj/dev.json"), "utf8");
  const configuration = await readFile(join(path, "Pulumi.dev.yaml"), "utf8");
  await rm(join(path, "node_modules"));
  const project = await openProject(engine, path, settings);
  await writeFile(join(path, "Pulumi.yaml"), program);
  await writeFile(join(path, ".pulumi/stacks/proj/dev.json"), stack);
  await writeFile(join(path, "Pulumi.dev.yaml"), configuration);
  return project;
}

if (import.meta.main) {
  await mkdir(fixtureFolder, { recursive: true });
  const names = process.argv.slice(2);
  /** Records one fixture. Reports a failure immediately and continues with the others. */
  const record = async (
    name: string,
    make: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<void> => {
    if (names.length > 0 && !names.some((begin) => name.startsWith(begin))) return;
    try {
      for (const [file, text] of Object.entries(await make()))
        await writeFile(join(fixtureFolder, file), text);
      console.log(name);
    } catch (error) {
      console.error(`${name}:`, error);
      process.exitCode = 1;
    }
  };
  const engines = await terraformEngines();
  for (const engine of engines) {
    const file = `${engine.name}-${engine.version}.json`;
    await record(file, async () => ({ [file]: await terraformPlan(engine, before, after) }));
  }
  for (const scene of terraformScenes)
    for (const name of scene.engines) {
      const engine = await ensureEngine(name);
      const file = `${name}-${scene.name}.json`;
      await record(file, async () => ({ [file]: await scenePlan(engine, scene) }));
    }
  const pulumi = await ensureEngine("pulumi");
  const bothOf = (name: string, { digest, events }: Preview) => ({
    [`${name}.json`]: digest,
    [`${name}-events.jsonl`]: events,
  });
  await record("pulumi.json", async () =>
    bothOf("pulumi", await pulumiPreview(pulumi, "pulumi", before, after)),
  );
  await record("dynamic", async () => {
    const { digest, events } = await pulumiPreview(pulumi, "dynamic", before, after);
    return { "dynamic/preview.json": digest, "dynamic/events.jsonl": events };
  });
  for (const scene of pulumiScenes)
    await record(`pulumi-${scene.name}.json`, async () =>
      bothOf(`pulumi-${scene.name}`, await pulumiScenePlan(pulumi, scene)),
    );
  const yaml = await ensureEngine("pulumi-yaml");
  const small = ({ name }: { name: string }) => name === "shop" || name === "orders" || name === "archive";
  await record("pulumi-yaml.json", async () =>
    bothOf("pulumi-yaml", await yamlPreview(yaml, before.filter(small), after.filter(small))),
  );
}
