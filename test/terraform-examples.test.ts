import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createEmulator } from "../emulator/emulator.ts";
import { resources } from "../resources/index.ts";
import { type Engine, terraformEngines } from "../tools/engines/engine.ts";
import { openFolder, required } from "./engine/terraform.ts";

/** Every example that an engine of Terraform's kind reads goes up, is left alone by a second plan, and goes down. */

const examples = fileURLToPath(new URL("../examples", import.meta.url));
const emulator = createEmulator({ taskMs: 200 });
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;

beforeAll(async () => {
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-examples-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => emulator.reset());

async function upAndDown(engine: Engine, work: string, objects: number) {
  const { run } = await openFolder(engine, work, {
    SERVICE_BASE_URL: server.url,
    SERVICE_API_KEY: "emulator-key",
    SERVICE_REGION: "In-Bangalore-1",
  });
  const commands = [
    ["init"],
    ["apply", "-auto-approve"],
    ["plan", "-detailed-exitcode"],
    ["destroy", "-auto-approve"],
  ];
  for (const args of commands) {
    const { code, output } = await run(args);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
    if (args[0] === "plan") expect(emulator.inventory.list().length).toBeGreaterThanOrEqual(objects);
  }
  // When a pod is gone, no cloud tells: its deletion may still be under way.
  expect(emulator.inventory.list().filter(({ deletingAt }) => deletingAt === undefined)).toEqual([]);
}

const nouns = resources.map(({ name }) => name);

describe.each(
  (await terraformEngines()).map((engine) => [`${engine.name} ${engine.version}`, engine] as const),
)("%s", (_, engine) => {
  test.each(nouns)(
    "takes the example of %s up and down",
    async (noun) => {
      const work = await mkdtemp(join(folder, "work-"));
      await cp(join(examples, noun, "main.tf"), join(work, "main.tf"));
      await writeFile(join(work, "required.tf.json"), JSON.stringify(required));
      await upAndDown(engine, work, 1);
    },
    120_000,
  );

  test("takes the whole stack up and down", async () => {
    const work = await mkdtemp(join(folder, "work-"));
    await cp(join(examples, "stack/terraform"), work, { recursive: true });
    await upAndDown(engine, work, 11);
  }, 120_000);
});

/** Shown where their engines are: terraform-query.test.ts, terraform-invoke.test.ts, terraform-secret.test.ts. */
const newest = ["action", "query", "lookup", "function", "secret"];

test("every folder of examples is a resource's, the whole stack, or of the newest Terraform", async () => {
  expect((await readdir(examples)).sort()).toEqual([...nouns, ...newest, "stack"].sort());
  expect(await readFile(join(examples, "stack/terraform/main.tf"), "utf8")).toContain(
    "registry.terraform.io/kcloud/kcloud",
  );
});
