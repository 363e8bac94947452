import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { pythonMember, pythonName } from "../../../account/export/python-syntax.ts";
import manifest from "../../../package.json" with { type: "json" };
import { snakeCase } from "../../../provider/core/name.ts";
import { packageSchema } from "../../../provider/pulumi/schema/schema.ts";
import { generateProject } from "../../../tools/sdk/language.ts";
import { goImport, programs, projects, runGo, runPython, runTypescript, writeProgram } from "./language.ts";
import { mistakes } from "./mistake.ts";

/** Checks all programs with the type checkers of their languages, which must find the mistakes of a table. */

const names = Object.keys(programs);

/** Writes all programs of a language, in Python as modules of one folder. */
beforeAll(async () => {
  for (const language of ["typescript", "python", "go"] as const)
    for (const name of names) await writeProgram(name, language);
  await mkdir(join(projects("python"), "all"));
  for (const name of names)
    await cp(
      join(projects("python"), name, "__main__.py"),
      join(projects("python"), "all", `${name.replaceAll("-", "_")}.py`),
    );
}, 300_000);

test("pyright and mypy find no problem in any program", async () => {
  expect((await runPython("pyright", "all")).trim()).toBe("0 errors, 0 warnings, 0 informations");
  expect((await runPython("mypy", "all")).trim()).toBe(
    `Success: no issues found in ${names.length} source files`,
  );
});

test("go vet finds no problem in any program", async () => {
  expect(await runGo("vet", "-mod=mod", ...names.map((name) => `./${name}`))).toBe("");
});

test("tsc finds no problem in any program", async () => {
  for (const name of names) expect([name, await runTypescript(name)]).toEqual([name, ""]);
});

test("what pulumi convert writes in TypeScript installs with npm and compiles with its own libraries", async () => {
  const project = join(projects("typescript"), "stack");
  const text = await readFile(join(project, "package.json"), "utf8");
  expect(JSON.parse(text).dependencies).toMatchObject({ [manifest.name]: manifest.version });
  const npm = (cwd: string, ...args: string[]) => promisify(execFile)("npm", args, { cwd });
  const root = join(import.meta.dirname, "../../..");
  const packed = await npm(root, "pack", "--json", "--pack-destination", project);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  // The packed package in place of its version in the registry; npm checks the names of all dependencies.
  await npm(project, "install", `./${filename}`, "--prefer-offline", "--ignore-scripts", "--no-audit");
  const { dependencies } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  expect(dependencies[manifest.name]).toBe(`file:${filename}`);
  expect(await runTypescript("stack", join(project, "node_modules/.bin/tsc"))).toBe("");
});

test("the names of properties and of values of closed sets in Python are those of programs that kcloud writes", async () => {
  const sdk = await generateProject("python");
  const { resources, types } = packageSchema(manifest.version);
  const wrong = Object.entries(resources).flatMap(([token, { inputProperties }]) => {
    const name = token.split(":").at(-1) ?? "";
    const file = snakeCase(name).replace(/^_/, "");
    const text = `${sdk.get(`pulumi_kcloud/${file}.py`)}`;
    return Object.keys(inputProperties)
      .filter((input) => !new RegExp(`^ +${pythonName(input)}: `, "m").test(text))
      .map((input) => `${name}.${input}`);
  });
  const enumerations = `${sdk.get("pulumi_kcloud/_enums.py")}`;
  const members = Object.values(types).flatMap((type) => ("enum" in type ? type.enum : []));
  expect(members.length).toBeGreaterThan(50);
  const missing = members.filter(
    ({ name, value }) => !enumerations.includes(`    ${pythonMember(name)} = ${JSON.stringify(value)}\n`),
  );
  expect([wrong, missing]).toEqual([[], []]);
});

/** Returns the texts of the mistakes that the output of a checker names by their lines. */
const found = (output: string, file: string, lines: readonly string[], language: "python" | "go") => {
  const numbers = new Set(
    [...output.matchAll(new RegExp(`${file}:(\\d+)(?::\\d+)?:? .*`, "g"))].map(([, line]) => Number(line)),
  );
  return mistakes.map((mistake) => mistake[language]).filter((text) => numbers.has(lines.indexOf(text) + 1));
};

test("pyright and mypy find every mistake", async () => {
  const lines = [
    "import pulumi_kcloud as kcloud",
    'vpc = kcloud.Vpc("shop")',
    ...mistakes.map(({ python }) => python),
  ];
  await mkdir(join(projects("python"), "wrong"));
  await writeFile(join(projects("python"), "wrong/wrong.py"), `${lines.join("\n")}\n`);
  const all = mistakes.map(({ python }) => python);
  for (const checker of ["pyright", "mypy"] as const)
    expect(found(await runPython(checker, "wrong"), "wrong.py", lines, "python")).toEqual(all);
});

test("the Go compiler finds every mistake", async () => {
  const lines = [
    "package wrong",
    "import (",
    '  "github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    `  ${goImport}`,
    ")",
    "func wrong(ctx *pulumi.Context, vpc *kcloud.Vpc) {",
    ...mistakes.map(({ go }) => go),
    "}",
  ];
  await mkdir(join(projects("go"), "wrong"));
  await writeFile(join(projects("go"), "wrong/wrong.go"), `${lines.join("\n")}\n`);
  const output = await runGo("build", "-mod=mod", "-gcflags=-e", "./wrong");
  expect(found(output, "wrong.go", lines, "go")).toEqual(mistakes.map(({ go }) => go));
});
