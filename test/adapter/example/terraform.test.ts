import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { openStage } from "../../support/engine/example.ts";
import { openFolder, required } from "../../support/engine/terraform.ts";

/** Every example that an engine of Terraform's kind reads goes up, is left alone by a second plan, and goes down. */

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
const stage = openStage();

const commands = [
  ["init"],
  ["apply", "-auto-approve"],
  ["plan", "-detailed-exitcode"],
  ["destroy", "-auto-approve"],
];

async function upAndDown(engine: Engine, work: string, objects: number) {
  const { run } = await openFolder(engine, work, stage.settings());
  await stage.upAndDown(commands, "plan", objects, run);
}

const nouns = resources.map(({ name }) => name);

/** How many objects an example makes, where it is of more than one resource. */
const several: Readonly<Record<string, number>> = { storage: 6 };

describe.each(
  (await terraformEngines()).map((engine) => [`${engine.name} ${engine.version}`, engine] as const),
)("%s", (_, engine) => {
  test.each([...nouns, ...Object.keys(several)])(
    "takes the example of %s up and down",
    async (kind) => {
      const work = await mkdtemp(join(stage.folder(), "work-"));
      await cp(join(examples, kind, "main.tf"), join(work, "main.tf"));
      await writeFile(join(work, "required.tf.json"), JSON.stringify(required));
      await upAndDown(engine, work, several[kind] ?? 1);
    },
    120_000,
  );

  test("takes the whole stack up and down", async () => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await cp(join(examples, "stack/terraform"), work, { recursive: true });
    await upAndDown(engine, work, 11);
  }, 120_000);
});

/** Shown where their engines are: terraform-query.test.ts, terraform-invoke.test.ts, terraform-secret.test.ts. */
const newest = ["action", "query", "lookup", "function", "secret"];

test("every folder of examples is a resource's, of several, the whole stack, or of the newest Terraform", async () => {
  expect((await readdir(examples)).sort()).toEqual(
    [...nouns, ...Object.keys(several), ...newest, "stack"].sort(),
  );
  expect(await readFile(join(examples, "stack/terraform/main.tf"), "utf8")).toContain(
    "registry.terraform.io/kcloud/kcloud",
  );
});
