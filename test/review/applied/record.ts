import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { cacheFolder } from "../../../tools/engines/cache.ts";
import { type Engine, ensureEngine } from "../../../tools/engines/engine.ts";
import { openProject } from "../../support/engine/pulumi.ts";
import { type Site, settingsOf, withSite } from "../../support/engine/site.ts";
import { configure, succeed } from "../../support/engine/terraform.ts";
import { storageSettings } from "../../support/storage-setting.ts";
import { fixtureFolder } from "./fixture.ts";
import { deny, type PulumiApply, pulumiApplies, type TerraformApply, terraformApplies } from "./scene.ts";

/**
 * `node test/review/applied/record.ts [NAME…]`: applies the scenes with real engines, and stores plan, log and state of each in a
 * folder of `fixture/`. Needs `npm run build` and `npm run engines`.
 */

const repository = dirname(dirname(dirname(import.meta.dirname)));

/** Returns a text without paths of this machine. */
const portable = (text: string, path: string): string =>
  text
    .replaceAll(path, "/program")
    .replaceAll(repository, "/package")
    .replaceAll(cacheFolder(), "/cache")
    .replace(/project:\/\/\/(?:\.\.\/)+[^"#]*?node_modules\//g, "project:///node_modules/");

const settingsFor = ({ url }: Pick<Site, "url">) => ({
  ...settingsOf(url),
  ...storageSettings(url),
  // A read that finds nothing proves immediately that the object was deleted.
  SERVICE_SETTLE_SECONDS: "0",
});

type Files = Readonly<Record<string, string>>;

async function terraformFiles(engine: Engine, scene: TerraformApply): Promise<Files> {
  return withSite({}, async (site) => {
    const folder = await site.open(engine, settingsFor(site));
    await scene.prepare?.(site);
    await configure(folder, scene.before);
    await succeed(folder, ["init"]);
    await succeed(folder, ["apply", "-auto-approve"]);
    if (scene.failing !== undefined) {
      await configure(folder, scene.failing.configuration);
      deny(site.emulator, scene.failing.operation);
      const { code, output } = await folder.run(["apply", "-auto-approve", "-no-color"]);
      if (code === 0) throw new Error(`${scene.name}: the apply did not fail:\n${output}`);
      site.emulator.faults.clear();
    }
    await configure(folder, scene.after);
    await succeed(folder, ["init"]);
    await succeed(folder, ["plan", "-out=planned"]);
    const plan = await succeed(folder, ["show", "-json", "planned"]);
    scene.faults?.(site.emulator);
    const text = scene.stop?.text;
    const other = scene.isLocked ? folder.run(["apply", "-auto-approve"]) : undefined;
    if (other !== undefined) await setTimeout(2_000);
    const log =
      scene.stop === undefined
        ? (await folder.run(["apply", "-json", "planned"])).output
        : await stopped(site, engine, folder.path, ["apply", "-json", "planned"], scene.stop);
    if (text !== undefined && !log.includes(text)) throw new Error(`${scene.name}: no ${text} in\n${log}`);
    const state = await succeed(folder, ["show", "-json"]);
    await other;
    const raw = await readFile(join(folder.path, "terraform.tfstate"), "utf8");
    return {
      "plan.json": plan,
      "log.jsonl": portable(log, folder.path),
      "state.json": state,
      "raw.json": raw,
    };
  });
}

/** Runs an engine, and sends it a signal after a text in its output. */
const stopped = (
  { url, path }: Site,
  engine: Engine,
  cwd: string,
  args: readonly string[],
  { text, signal }: NonNullable<TerraformApply["stop"]>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const environment = { ...engine.env, ...settingsFor({ url }) };
    const child = spawn(engine.path, args, {
      cwd,
      env: {
        ...process.env,
        ...environment,
        HOME: path,
        TF_CLI_CONFIG_FILE: join(cwd, ".terraformrc"),
        CHECKPOINT_DISABLE: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const stop = once(() => child.kill(signal));
    child.stdout.on("data", (part: Buffer) => {
      output += part;
      if (output.includes(text)) stop();
    });
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });

/** Returns a function that calls `run` once, a second after its first call: the engine has then written its state. */
function once<T extends readonly unknown[]>(run: (...args: T) => unknown): (...args: T) => void {
  let isCalled = false;
  return (...args) => {
    if (isCalled) return;
    isCalled = true;
    void setTimeout(1_000).then(() => run(...args));
  };
}

async function pulumiFiles(engine: Engine, scene: PulumiApply): Promise<Files> {
  return withSite({}, async (site) => {
    const project = await openProject(engine, await site.folder(), settingsFor(site));
    await scene.prepare?.(site);
    await project.program(scene.before);
    await project.done("up", "--yes", "--skip-preview");
    if (scene.failing !== undefined) {
      await project.program(scene.failing.program);
      deny(site.emulator, scene.failing.operation);
      const { code, output } = await project.run(["up", "--yes", "--skip-preview"]);
      if (code === 0) throw new Error(`${scene.name}: the update did not fail:\n${output}`);
      site.emulator.faults.clear();
    }
    await project.program(scene.after);
    const plan = await project.done("preview", "--json", "--show-sames", "--show-replacement-steps");
    if (scene.applied !== undefined) await project.program(scene.applied);
    scene.faults?.(site.emulator);
    const log = join(project.path, "log.jsonl");
    const kill = once((send: () => void) => send());
    await project.run(["up", "--yes", "--skip-preview", "--event-log", log], {
      environment: { PULUMI_DEBUG_COMMANDS: "true" },
      watch: (output, signal) => {
        const { stop } = scene;
        if (stop !== undefined && output.includes(stop.text)) kill(() => signal(stop.signal));
      },
    });
    const state = await project.done("stack", "export");
    const clean = (text: string): string => portable(text, project.path);
    return {
      "plan.json": clean(plan),
      "log.jsonl": clean(await readFile(log, "utf8")),
      "state.json": clean(state),
    };
  });
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const record = async (name: string, make: () => Promise<Files>): Promise<void> => {
    if (names.length > 0 && !names.includes(name)) return;
    const folder = join(fixtureFolder, name);
    try {
      const files = await make();
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
      console.log(name);
    } catch (error) {
      console.error(`${name}:`, error);
      process.exitCode = 1;
    }
  };
  for (const scene of terraformApplies)
    for (const engine of scene.engines)
      await record(`${engine}-${scene.name}`, async () => terraformFiles(await ensureEngine(engine), scene));
  for (const scene of pulumiApplies)
    await record(`pulumi-${scene.name}`, async () => pulumiFiles(await ensureEngine("pulumi"), scene));
}
