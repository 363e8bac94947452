import { type ExecFileOptions, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";
import type { InventoryItem } from "../../../emulator/admin/inventory.ts";
import manifest from "../../../package.json" with { type: "json" };
import { underscored } from "../../../provider/core/name.ts";
import { packageFacts } from "../../../provider/pulumi/schema/package.ts";
import { requiredExample } from "../../../tools/docs/example.ts";
import { yamlProgram } from "../../../tools/docs/program.ts";
import { cacheFolder } from "../../../tools/engines/cache.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { goEnvironment } from "../../../tools/engines/go.ts";
import { generateProject } from "../../../tools/sdk/language.ts";
import { openExampleRunner } from "../../support/engine/example.ts";
import { compileCache, runPulumi } from "../../support/engine/pulumi.ts";
import { homeIn, installPlugin, installPythonSdk } from "../../support/engine/pulumi-python.ts";
import { ensurePython } from "../../support/engine/python.ts";

/**
 * Runs programs of Pulumi in each language with the SDKs of a release, and the plugin that `kcloud install pulumi` installs: those
 * in YAML of the pages, which are generated from the HCL examples, and what Pulumi converts them to.
 */

export const languages = ["yaml", "typescript", "python", "go"] as const;
export type Language = (typeof languages)[number];

/** Programs with every group of resources, by the number of objects that they create. */
export const programs = {
  "floating-ip": 6,
  "port-security-groups": 9,
  "volume-attachment": 9,
  image: 11,
  "instance-batch": 14,
  "instance-template": 5,
  "bucket-policy": 2,
  "lifecycle-rule": 2,
  "account-policy-attachment": 2,
  "ai-pod": 1,
  "document-information": 1,
  stack: 12,
} as const;

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
const yaml = await ensureEngine("pulumi-yaml");
const hosts = await ensureEngine("pulumi-languages");
const codegen = await ensureEngine("pulumi-codegen");
const python = await ensurePython();

const stage = openExampleRunner(async (folder) => {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), "{}");
  await installPlugin(folder);
  await mkdir(join(folder, "generators"));
  for (const language of ["nodejs", "python", "go"])
    await symlink(codegen.path, join(folder, "generators", `pulumi-language-${language}`));
  await installPythonSdk(folder);
  const sdk = await generateProject("go");
  for (const [path, data] of sdk) {
    await mkdir(dirname(join(folder, "go/sdk", path)), { recursive: true });
    await writeFile(join(folder, "go/sdk", path), data);
  }
  await cp(join(folder, "go/sdk/go.sum"), join(folder, "go/go.sum"));
  await writeFile(
    join(folder, "go/go.mod"),
    `${sdk.get("go.mod")}`.replace(
      /^module (\S+)/,
      "module programs\n\nreplace $1 => ./sdk\n\nrequire $1 v0.0.0",
    ),
  );
});

/** Returns the environment of a new backend, with the hosts that run programs. */
export const environment = async () => ({
  ...process.env,
  ...yaml.env,
  ...homeIn(stage.folder()),
  ...compileCache,
  PULUMI_BACKEND_URL: `file://${await mkdtemp(join(stage.folder(), "backend-"))}`,
  PULUMI_CONFIG_PASSPHRASE: "test",
  PYTHONPATH: join(stage.folder(), "site"),
  PYTHONDONTWRITEBYTECODE: "1",
  VIRTUAL_ENV: python,
  PATH: [join(python, "bin"), yaml.env.PATH, hosts.env.PATH].join(":"),
  ...stage.settings(),
});

/** Returns the same environment with the hosts that generate code. */
export const generating = <Variables extends { readonly PATH: string }>(variables: Variables) => ({
  ...variables,
  PATH: [join(stage.folder(), "generators"), dirname(codegen.path), variables.PATH].join(":"),
});

/** Runs a command of Pulumi and returns its standard output. */
export async function pulumi(
  args: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv,
): Promise<string> {
  const { code, stdout, output } = await runPulumi(yaml, args, cwd, variables);
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${output}`);
  return stdout;
}

/** Returns the program of a resource's page, or that of the whole stack, in YAML. */
export function programText(name: string): string {
  const text =
    name === "stack"
      ? requiredExample("stack/yaml/Pulumi.yaml")
      : yamlProgram(name, requiredExample(`${name}/main.tf`));
  if (text === undefined) throw new Error(`${name} has no program in YAML`);
  return text.replace(/^plugins:\n(?: .*\n)+/m, "");
}

/** Writes a program in YAML and converts it to another language. Returns the folder of the project. */
export async function writeProgram(name: string, language: Language): Promise<string> {
  const source = join(stage.folder(), "yaml", name);
  await mkdir(source, { recursive: true });
  await writeFile(join(source, "Pulumi.yaml"), programText(name));
  if (language === "yaml") return source;
  const project = join(stage.folder(), language, name);
  const convert = ["convert", "--from", "yaml", "--language", language, "--out", project, "--generate-only"];
  await pulumi(convert, source, generating(await environment()));
  // All programs in Go are packages of one module.
  if (language === "go") await rm(join(project, "go.mod"));
  return project;
}

/** Import of the Go package in a program. */
export const goImport = JSON.stringify(packageFacts(manifest.version, manifest).language.go.importBasePath);

/** Returns the folder of the projects in a language. */
export const projects = (language: Language): string => join(stage.folder(), language);

/** Runs a program to its end. Returns its output, also if it fails. */
async function outputOf(file: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  try {
    const { stdout, stderr } = await run(file, args, options);
    return `${stdout}${stderr}`;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (stdout === undefined) throw error;
    return `${stdout}${stderr}`;
  }
}

/** Runs Go in the module of the programs, with the caches of the engines. Returns its output. */
export const runGo = (...args: string[]): Promise<string> =>
  outputOf("go", args, {
    cwd: projects("go"),
    env: goEnvironment({ cache: cacheFolder(), scratch: stage.folder() }),
  });

/** Options of the commands of Python that tests run. */
const pythonOptions = {
  pyright: ["--pythonpath", join(python, "bin/python")],
  mypy: ["--cache-dir", "cache"],
  python: ["-m", "unittest", "-v"],
} as const;

/** Runs a checker over a folder of modules in Python, or the tests of a module. Returns the output. */
export async function runPython(command: keyof typeof pythonOptions, target: string): Promise<string> {
  const { PATH, PYTHONPATH } = await environment();
  return outputOf(join(python, "bin", command), [...pythonOptions[command], target], {
    cwd: projects("python"),
    env: { ...process.env, PATH, PYTHONPATH, MYPYPATH: PYTHONPATH, PYRIGHT_PYTHON_IGNORE_WARNINGS: "1" },
  });
}

/** Compiles a program in TypeScript by a compiler, by default that of the checkout. Returns the errors. */
export const runTypescript = (name: string, compiler = "tsc"): Promise<string> =>
  outputOf(compiler, ["--noEmit"], { cwd: join(projects("typescript"), name) });

/** Compiles a program in Go, which its host runs without building it again. */
export async function compileGo(name: string, project: string): Promise<void> {
  const flags = ["-mod=mod", "-ldflags", "-s -w", "-o", `bin/${name}`];
  const errors = await runGo("build", ...flags, `./${name}`);
  if (errors !== "") throw new Error(errors);
  const definition = await readFile(join(project, "Pulumi.yaml"), "utf8");
  const runtime = `runtime: {name: go, options: {binary: ../bin/${name}}}`;
  await writeFile(join(project, "Pulumi.yaml"), definition.replace(/^runtime: go$/m, runtime));
}

const commands = [
  ["stack", "init", "dev"],
  ["up", "--yes", "--skip-preview"],
  ["preview", "--expect-no-changes"],
  ["destroy", "--yes", "--skip-preview"],
];

/** Languages of the programs on the pages of resources that need an SDK, with the file of the program. */
export const pageLanguages = { python: "__main__.py", go: "main.go" } as const;
export type PageLanguage = keyof typeof pageLanguages;

/** Returns the program of a page, such as `resources/ssh_key`, in a language. */
export function pageProgram(name: string, language: PageLanguage): string {
  const page = readFileSync(join(root, `docs/${name}.md`), "utf8");
  const fence = new RegExp(`^### Pulumi \\w+\n\n\`\`\`${language}\n([^]*?)^\`\`\`$`, "m");
  const [, text] = fence.exec(page) ?? [];
  if (text === undefined) throw new Error(`the page of ${name} has no program in ${language}`);
  return text;
}

/** Returns the name of the folder with the program of a page. */
export const pageFolder = (page: string): string => `page-${page.replace("/", "-")}`;

/** Writes the program of a page. Returns the folder of the project. */
export async function writePage(name: string, language: PageLanguage): Promise<string> {
  const project = join(projects(language), pageFolder(name));
  await mkdir(project, { recursive: true });
  await writeFile(join(project, pageLanguages[language]), pageProgram(name, language));
  await writeFile(join(project, "Pulumi.yaml"), `name: ${pageFolder(name)}\nruntime: ${language}\n`);
  return project;
}

/** Registers the test of the program of a resource's page. */
export function testPage(name: string, language: PageLanguage): void {
  test(`the program on the page of ${name} in ${language} is applied, unchanged afterwards, and destroyed`, async () => {
    const page = `resources/${underscored(name)}`;
    const project = await writePage(page, language);
    if (language === "go") await compileGo(pageFolder(page), project);
    await runProject(project);
  });
}

/** Applies a program, previews no change, and destroys it. Returns the objects that it created. */
async function runProgram(name: string, language: Language): Promise<readonly string[]> {
  const project = await writeProgram(name, language);
  if (language === "go") await compileGo(name, project);
  return runProject(project);
}

/** Applies the program of a project, previews no change, and destroys it. Returns the objects that it created. */
async function runProject(project: string): Promise<readonly string[]> {
  const variables = await environment();
  let created: readonly string[] = [];
  await stage.runLifecycle(commands, "preview", 1, async (args) => {
    const result = await runPulumi(yaml, args, project, variables);
    if (args[0] === "preview") created = stage.inventory().map(withoutRandom).toSorted();
    return result;
  });
  return created;
}

/** Returns the text of an object without what differs between two equal ones: random parts, times, and the form of JSON. */
const withoutRandom = (item: InventoryItem): string =>
  JSON.stringify(item, (name, value) => {
    if (name === "mac" || (typeof value === "number" && value > 1e11)) return "RANDOM";
    return name === "statements" ? sorted(JSON.parse(value)) : value;
  })
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replace(/-[0-9a-f]{7}(?=["-])/g, "-RANDOM");

/** Returns a copy of a list of objects with sorted members. */
const sorted = (list: readonly object[]) =>
  list.map((item) =>
    Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );

/** Registers the tests of a program: one in each language, and one that compares the objects. */
export function testProgram(name: keyof typeof programs): void {
  describe(name, () => {
    const created = new Map<Language, readonly string[]>();
    test.each(languages)(
      "the program in %s is applied, unchanged afterwards, and destroyed",
      async (language) => {
        created.set(language, await runProgram(name, language));
      },
    );
    test("the program creates the same objects in each language", () => {
      const [first, ...others] = languages.map((language) => created.get(language));
      expect(first?.length).toBe(programs[name]);
      expect(others).toEqual(languages.slice(1).map(() => first));
    });
  });
}
