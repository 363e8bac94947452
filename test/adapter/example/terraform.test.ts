import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { scenariosOf } from "../../../tools/docs/example.ts";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";
import { openExampleRunner } from "../../support/engine/example.ts";
import { openFolder, succeed } from "../../support/engine/terraform.ts";

/** Applies and destroys the HCL examples of resources and of the whole stack; a second plan is empty. */

const folder = fileURLToPath(new URL("../../../examples", import.meta.url));
const stage = openExampleRunner();

const commands = [
  ["init"],
  ["apply", "-auto-approve"],
  ["plan", "-detailed-exitcode"],
  ["destroy", "-auto-approve"],
];

async function applyAndDestroy(engine: Engine, work: string, objects: number) {
  const { run } = await openFolder(engine, work, stage.settings());
  await stage.runLifecycle(commands, "plan", objects, run);
}

const kinds = resources.map(({ name }) => name);

/** Number of objects of the examples that have more than one resource. */
const several: Readonly<Record<string, number>> = { storage: 6 };

const engines = await terraformEngines();
const nameOf = ({ name, version }: Engine): string => `${name} ${version}`;

/** Scenarios below the folders of resources. */
const scenarios = kinds.flatMap((kind) =>
  scenariosOf(kind).flatMap(({ path }) => (path.startsWith(`${kind}/`) ? [path] : [])),
);

/** Each example with one of the engines; `npm run prove` runs every lifecycle with all of them. */
const examples = [...kinds, ...scenarios, ...Object.keys(several)].map(
  (kind, at) => [kind, engines[at % engines.length] as Engine] as const,
);

test.each(examples.map(([kind, engine]) => [kind, nameOf(engine), engine] as const))(
  "the example of %s is applied and destroyed with %s",
  async (kind, _, engine) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    for (const file of await readdir(join(folder, kind)))
      if (/\.(tf|tftpl)$/.test(file)) await cp(join(folder, kind, file), join(work, file));
    await applyAndDestroy(engine, work, several[kind] ?? 1);
  },
);

test.each(engines.map((engine) => [nameOf(engine), engine] as const))(
  "the whole stack is applied and destroyed with %s",
  async (_, engine) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await cp(join(folder, "stack/terraform"), work, { recursive: true });
    await applyAndDestroy(engine, work, 11);
  },
);

test.each(engines.map((engine) => [nameOf(engine), engine] as const))(
  "every folder whose features %s supports is formatted, installs its provider and is valid",
  async (_, engine) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await cp(folder, join(work, "examples"), { recursive: true });
    // One configuration with each folder as a module: `init` fails for a module without its provider's address.
    const module = Object.fromEntries(
      (await configurations())
        .filter(([kind]) => !lacksFeatures(engine, kind))
        .map(([kind, text]) => [
          kind.replace("/", "-"),
          { source: `./examples/${kind}`, ...Object.fromEntries(requiredVariables(text)) },
        ]),
    );
    await writeFile(join(work, "main.tf.json"), JSON.stringify({ module }));
    const run = await openFolder(engine, work, stage.settings());
    for (const args of [["fmt", "-check", "-recursive", "examples"], ["init"], ["validate"]])
      await succeed(run, args);
  },
);

/** Returns the text of `main.tf` by its folder below `examples`. */
const configurations = async (): Promise<(readonly [string, string])[]> =>
  Promise.all(
    (await readdir(folder, { recursive: true }))
      .filter((file) => basename(file) === "main.tf")
      .toSorted()
      .map(async (file) => [dirname(file), await readFile(join(folder, file), "utf8")] as const),
  );

/** Folders that need a newer engine, with a function that returns true for such an engine. */
const featureEngines: Readonly<Record<string, (engine: Engine) => boolean>> = {
  action: ({ name, version }) => name === "terraform" && !version.startsWith("1.11."),
};
const lacksFeatures = (engine: Engine, kind: string): boolean => featureEngines[kind]?.(engine) === false;

/** Returns a value for each variable without a default. */
const requiredVariables = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/^variable "(\w+)" \{\n((?: .*\n)*)\}/gm)].flatMap(([, name = "", body = ""]) =>
    /^ +default /m.test(body) ? [] : [[name, "any"] as const],
  );

/** Examples that query.test.ts, invoke.test.ts and secret.test.ts in test/terraform run. */
const newest = ["action", "query", "lookup", "function", "secret"];

test("every folder of examples is for one or several resources, the whole stack, an account, the review, a release, a start, or features of newer engines", async () => {
  expect((await readdir(folder)).sort()).toEqual(
    [...kinds, ...Object.keys(several), ...newest, "account", "release", "review", "stack", "start"].sort(),
  );
  expect(await readFile(join(folder, "stack/terraform/main.tf"), "utf8")).toContain(
    "registry.terraform.io/kcloud/kcloud",
  );
});
