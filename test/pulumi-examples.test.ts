import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createEmulator } from "../emulator/emulator.ts";
import { resources } from "../resources/index.ts";
import { ensureEngine } from "../tools/engines/engine.ts";
import { runPulumi } from "./engine/pulumi.ts";

/** Every program of the examples goes up, is left alone by a second preview, and goes down. */

const root = fileURLToPath(new URL("..", import.meta.url));
const emulator = createEmulator({ taskMs: 200 });
const pulumi = await ensureEngine("pulumi");
const yaml = await ensureEngine("pulumi-yaml");
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;

beforeAll(async () => {
  server = await emulator.listen();
  // The same places relative to each other as in the checkout; what the engine writes stays out of it.
  folder = await mkdtemp(join(tmpdir(), "kcloud-examples-"));
  await cp(join(root, "examples"), join(folder, "examples"), { recursive: true });
  await cp(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => emulator.reset());

async function upAndDown(project: string, objects: number) {
  const backend = await mkdtemp(join(folder, "backend-"));
  const environment = {
    ...process.env,
    ...pulumi.env,
    PATH: `${yaml.env.PATH}:${pulumi.env.PATH}`,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    SERVICE_BASE_URL: server.url,
    SERVICE_API_KEY: "emulator-key",
    SERVICE_REGION: "In-Bangalore-1",
  };
  const commands = [
    ["stack", "init", "dev"],
    ["up", "--yes", "--skip-preview"],
    ["preview", "--expect-no-changes"],
    ["destroy", "--yes", "--skip-preview"],
  ];
  for (const args of commands) {
    const { code, output } = await runPulumi(pulumi, args, project, environment);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
    if (args[0] === "preview") expect(emulator.inventory.list().length).toBeGreaterThanOrEqual(objects);
  }
  // When a pod is gone, no cloud tells: its deletion may still be under way.
  expect(emulator.inventory.list().filter(({ deletingAt }) => deletingAt === undefined)).toEqual([]);
}

test("the demo's stack, by dynamic classes, goes up and down", () => upAndDown(folder, 11), 180_000);

test.each(["pulumi", "yaml"])(
  "the %s program of the stack goes up and down",
  (face) => upAndDown(join(folder, "examples/stack", face), 11),
  180_000,
);

test.each([...resources.map(({ name }) => name), "lookup", "function"])(
  "the example of %s goes up and down",
  async (noun) => {
    const project = await readFile(join(root, "examples/stack/pulumi/Pulumi.yaml"), "utf8");
    const work = join(folder, "examples", noun);
    await mkdir(work, { recursive: true });
    await writeFile(join(work, "Pulumi.yaml"), project.replaceAll("../../../", "../../"));
    await upAndDown(work, 1);
  },
  180_000,
);
