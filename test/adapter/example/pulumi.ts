import { cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openExampleRunner } from "../../support/engine/example.ts";
import { compileCache, runPulumi } from "../../support/engine/pulumi.ts";

/** Runs the programs of the examples with the real Pulumi CLI. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pulumi = await ensureEngine("pulumi");
const yaml = await ensureEngine("pulumi-yaml");
const stage = openExampleRunner(async (folder) => {
  // Keeps the relative paths of the checkout; the engine writes its files to the copy.
  await cp(join(root, "examples"), join(folder, "examples"), { recursive: true });
  await cp(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

const commands = [
  ["stack", "init", "dev"],
  ["up", "--yes", "--skip-preview"],
  ["preview", "--expect-no-changes"],
  ["destroy", "--yes", "--skip-preview"],
];

/** Writes a program in YAML into a new folder `place` below the copy of the checkout. */
export async function writeYaml(place: string, program: string): Promise<void> {
  const project = join(stage.folder(), place);
  await mkdir(project, { recursive: true });
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  await writeFile(join(project, "Pulumi.yaml"), program);
}

/**
 * Applies and destroys the program in `place`, a folder below the copy of the checkout, which creates `objects` objects. The
 * preview after the apply must show no change.
 */
export async function applyAndDestroy(place: string, objects: number): Promise<void> {
  const environment = {
    ...process.env,
    ...pulumi.env,
    ...compileCache,
    PATH: `${yaml.env.PATH}:${pulumi.env.PATH}`,
    PULUMI_BACKEND_URL: `file://${await mkdtemp(join(stage.folder(), "backend-"))}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    ...stage.settings(),
  };
  const project = join(stage.folder(), place);
  await stage.runLifecycle(commands, "preview", objects, (args) =>
    runPulumi(pulumi, args, project, environment),
  );
}

/** Applies and destroys the program of `examples/KIND`. */
export const applyAndDestroyExample = (kind: string, objects: number): Promise<void> =>
  applyAndDestroy(join("examples", kind), objects);
