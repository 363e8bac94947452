import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { openExampleRunner } from "../../support/engine/example.ts";
import { openFolder, required } from "../../support/engine/terraform.ts";

/** Applies and destroys the HCL examples of resources and of the whole stack; a second plan is empty. */

const folder = fileURLToPath(new URL("../../../examples", import.meta.url));
const stage = openExampleRunner();

const commands = [
  ["init"],
  ["apply", "-auto-approve"],
  ["plan", "-detailed-exitcode"],
  ["destroy", "-auto-approve"],
];

async function upAndDown(engine: Engine, work: string, objects: number) {
  const { run } = await openFolder(engine, work, stage.settings());
  await stage.runLifecycle(commands, "plan", objects, run);
}

const kinds = resources.map(({ name }) => name);

/** Number of objects of the examples that have more than one resource. */
const several: Readonly<Record<string, number>> = { storage: 6 };

const engines = await terraformEngines();
const nameOf = ({ name, version }: Engine): string => `${name} ${version}`;

/** Each example with one of the engines; the sweeps run every resource through all of them. */
const examples = [...kinds, ...Object.keys(several)].map(
  (kind, at) => [kind, engines[at % engines.length] as Engine] as const,
);

test.each(examples.map(([kind, engine]) => [kind, nameOf(engine), engine] as const))(
  "the example of %s goes up and down with %s",
  async (kind, _, engine) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await cp(join(folder, kind, "main.tf"), join(work, "main.tf"));
    await writeFile(join(work, "required.tf.json"), JSON.stringify(required));
    await upAndDown(engine, work, several[kind] ?? 1);
  },
);

test.each(engines.map((engine) => [nameOf(engine), engine] as const))(
  "the whole stack goes up and down with %s",
  async (_, engine) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await cp(join(folder, "stack/terraform"), work, { recursive: true });
    await upAndDown(engine, work, 11);
  },
);

/** Examples that query.test.ts, invoke.test.ts and secret.test.ts in test/terraform run. */
const newest = ["action", "query", "lookup", "function", "secret"];

test("every folder of examples is a resource's, of several, the whole stack, or of the newest Terraform", async () => {
  expect((await readdir(folder)).sort()).toEqual(
    [...kinds, ...Object.keys(several), ...newest, "stack"].sort(),
  );
  expect(await readFile(join(folder, "stack/terraform/main.tf"), "utf8")).toContain(
    "registry.terraform.io/kcloud/kcloud",
  );
});
