import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openStage } from "../../support/engine/example.ts";
import { runPulumi } from "../../support/engine/pulumi.ts";

/** Every program of the examples goes up, is left alone by a second preview, and goes down. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pulumi = await ensureEngine("pulumi");
const yaml = await ensureEngine("pulumi-yaml");
const stage = openStage(async (folder) => {
  // The same places relative to each other as in the checkout; what the engine writes stays out of it.
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

async function upAndDown(place: string, objects: number) {
  const environment = {
    ...process.env,
    ...pulumi.env,
    PATH: `${yaml.env.PATH}:${pulumi.env.PATH}`,
    PULUMI_BACKEND_URL: `file://${await mkdtemp(join(stage.folder(), "backend-"))}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    ...stage.settings(),
  };
  const project = join(stage.folder(), place);
  await stage.upAndDown(commands, "preview", objects, (args) =>
    runPulumi(pulumi, args, project, environment),
  );
}

test("the demo's stack, by dynamic classes, goes up and down", () => upAndDown(".", 11), 180_000);

test.each(["pulumi", "yaml"])(
  "the %s program of the stack goes up and down",
  (adapter) => upAndDown(join("examples/stack", adapter), 11),
  180_000,
);

const single = [...resources.map(({ name }) => name), "lookup", "function"];

test.each([...single.map((kind) => [kind, 1] as const), ["storage", 6] as const])(
  "the example of %s goes up and down",
  async (kind, objects) => {
    const project = await readFile(join(root, "examples/stack/pulumi/Pulumi.yaml"), "utf8");
    const work = join(stage.folder(), "examples", kind);
    await mkdir(work, { recursive: true });
    await writeFile(join(work, "Pulumi.yaml"), project.replaceAll("../../../", "../../"));
    await upAndDown(join("examples", kind), objects);
  },
  180_000,
);
