import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeScenario, scenarioAge } from "../../../emulator/cli/scenario.ts";
import { createEmulator } from "../../../emulator/emulator.ts";
import { lateClock } from "../../../emulator/state/clock.ts";
import { lookups } from "../../../functions/index.ts";
import { underscored } from "../../../provider/core/name.ts";
import { existingPages } from "../../../tools/docs.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { compileCache, runPulumi } from "../../support/engine/pulumi.ts";
import { installPlugin, installPythonSdk } from "../../support/engine/pulumi-python.ts";
import { openFolder, required, succeed } from "../../support/engine/terraform.ts";
import { storageSettings } from "../../support/storage-setting.ts";

/** Runs the examples of the pages of data sources with real engines, on an emulator with the scenario that the pages name. */

const modules = join(import.meta.dirname, "../../../node_modules");
const terraform = await ensureEngine("terraform");
const pulumi = await ensureEngine("pulumi");
const pages = existingPages().filter(({ name }) => name.startsWith("data-sources/"));

let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), "kcloud-lookup-page-"));
});
afterAll(() => rm(path, { recursive: true, force: true }));

/** Opens an emulator with the scenario. */
async function openAccount() {
  const region = "In-Bangalore-1";
  const clock = lateClock(scenarioAge);
  const emulator = createEmulator({ clock, taskMs: 200 });
  await makeScenario("existing-account", { emulator, region, advance: clock.catchUp });
  await clock.catchUp(scenarioAge);
  const { url, close } = await emulator.listen();
  const settings = {
    SERVICE_BASE_URL: url,
    SERVICE_API_KEY: "emulator-key",
    SERVICE_REGION: region,
    ...storageSettings(url),
  };
  return { settings, close };
}

/** Returns the parts of the examples in a language that match a pattern, by page. */
const partsOf = (language: string, pattern: RegExp): Map<string, string[]> =>
  new Map(
    pages.map(({ name, text }) => {
      const [, example = ""] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? [];
      return [name, example.match(pattern) ?? []];
    }),
  );

const all = (parts: Map<string, string[]>): string[] => [...new Set([...parts.values()].flat())];

/** Fails for an output without a value. Expects as many as there are pages. */
function expectValues(outputs: readonly (readonly [string, unknown])[]): void {
  const isEmpty = (value: unknown) =>
    value === null || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
  expect(outputs.filter(([, value]) => isEmpty(value))).toEqual([]);
  expect(outputs.length).toBeGreaterThanOrEqual(pages.length);
}

test("every page of a data source has an example with an output, in each language", () => {
  expect(pages.map(({ name }) => name)).toEqual(
    lookups.map(({ name }) => `data-sources/${underscored(name)}.md`).toSorted(),
  );
  const parts = [
    partsOf("hcl", /^output [\s\S]*?^\}$/gm),
    partsOf("ts", /^export const \w+ = .*;$/gm),
    partsOf("python", /^pulumi\.export\(/gm),
    partsOf("go", /^\t\tctx\.Export\(/gm),
  ];
  for (const outputs of parts)
    expect([...outputs].flatMap(([name, found]) => (found.length === 0 ? [name] : []))).toEqual([]);
});

test("Terraform applies all examples, each output has a value, and a second plan is empty", async () => {
  const { settings, close } = await openAccount();
  const work = join(path, "terraform");
  await mkdir(work);
  const folder = await openFolder(terraform, work, settings);
  await writeFile(join(work, "required.tf.json"), JSON.stringify(required));
  const blocks = all(partsOf("hcl", /^(?:data|resource|output|variable) (?:.*\{\}|[\s\S]*?^\})$/gm));
  await writeFile(join(work, "main.tf"), `${blocks.join("\n\n")}\n`);
  for (const args of [["fmt", "-check", "-diff"], ["init"], ["apply", "-auto-approve"]])
    await succeed(folder, args);
  const outputs = JSON.parse(await succeed(folder, ["output", "-json"])) as Record<
    string,
    { value: unknown }
  >;
  expectValues(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  await succeed(folder, ["plan", "-detailed-exitcode"]);
  await close();
});

test("Pulumi applies the programs of all pages as one, and each output has a value", async () => {
  const { settings, close } = await openAccount();
  const work = join(path, "pulumi");
  await mkdir(work);
  await symlink(modules, join(work, "node_modules"));
  const imports = all(partsOf("ts", /(?<=^import \{ ).*(?= \} from "@kcloud\/iac\/pulumi";$)/gm));
  const names = [...new Set(imports.flatMap((list) => list.split(", ")))];
  const statements = all(partsOf("ts", /^(?:const|export) [\s\S]*?;$/gm));
  const program = `import { ${names.join(", ")} } from "@kcloud/iac/pulumi";\n${statements.join("\n")}\n`;
  const project = {
    name: "pages",
    runtime: { name: "nodejs", options: { typescript: false } },
    main: "index.ts",
    plugins: { providers: [{ name: "kcloud", path: "./node_modules/@kcloud/iac/dist" }] },
  };
  await writeFile(join(work, "Pulumi.yaml"), JSON.stringify(project));
  await writeFile(join(work, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(work, "index.ts"), program);
  await applyProgram(work, { ...pulumi.env, ...settings });
  await close();
});

test("Pulumi applies the programs of all pages in Python as one, and each output has a value", async () => {
  const { settings, close } = await openAccount();
  const work = join(path, "python");
  await mkdir(work);
  await installPlugin(path);
  const { variables } = await installPythonSdk(path);
  // A statement ends before the line that neither is indented nor closes a bracket.
  const statements = all(partsOf("python", /^[^\s)\]}].*\n(?:(?:[ )\]}].*)?\n)*/gm)).map((text) =>
    text.trim(),
  );
  const imports = statements.filter((text) => text.startsWith("import "));
  const others = statements.filter((text) => !text.startsWith("import "));
  await writeFile(join(work, "Pulumi.yaml"), "name: pages\nruntime: python\n");
  await writeFile(join(work, "__main__.py"), `${[...new Set([...imports, ...others])].join("\n")}\n`);
  const PATH = `${variables.PATH}:${pulumi.env.PATH}`;
  await applyProgram(work, { ...pulumi.env, ...variables, PATH, ...settings });
  await close();
});

/** Applies the program in a folder, checks its outputs, and previews no change. */
async function applyProgram(work: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const environment = {
    ...process.env,
    ...compileCache,
    PULUMI_BACKEND_URL: `file://${work}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    ...variables,
  };
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, output } = await runPulumi(pulumi, args, work, environment);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
    return stdout;
  };
  await run("stack", "init", "dev");
  await run("up", "--yes", "--skip-preview");
  const outputs = JSON.parse(await run("stack", "output", "--json")) as Record<string, unknown>;
  expectValues(Object.entries(outputs));
  await run("preview", "--expect-no-changes");
}
