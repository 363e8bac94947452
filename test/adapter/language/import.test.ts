import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "@jest/globals";
import { constants } from "../../../command/init/constant.ts";
import { generateProject } from "../../../tools/sdk/language.ts";
import { program } from "../../support/engine/built.ts";
import type { StateResource } from "../../support/engine/pulumi.ts";
import {
  compileGo,
  environment,
  generating,
  type Language,
  languages,
  projects,
  pulumi,
  runGo,
  writeProgram,
} from "./language.ts";

/** Runs the commands of Pulumi that generate code: `import`, `package add` and `package gen-sdk`. */

const runtimes = {
  yaml: { runtime: "yaml", file: "Pulumi.yaml" },
  typescript: { runtime: "nodejs", file: "index.ts" },
  python: { runtime: "python", file: "__main__.py" },
  go: { runtime: "go", file: "main.go" },
} as const;

/** Writes an empty project. Returns its folder. */
async function writeProject(name: string, language: Language): Promise<string> {
  const folder = join(projects(language), name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: ${runtimes[language].runtime}\n`);
  return folder;
}

/** Returns the entry of a resource in a file of imports. */
function entryOf({ type, urn, id = "", outputs }: StateResource) {
  const [scope = id] = [outputs?.vpcId, type === "kcloud:index:SshKey" ? outputs?.name : undefined].filter(
    Boolean,
  );
  return { type, name: urn.split("::").at(-1), id: scope === id ? id : `${scope},${id}` };
}

test.each(languages)("what pulumi import writes in %s compiles and previews no change", async (language) => {
  const variables = await environment();
  const source = await writeProgram("stack", "yaml");
  await pulumi(["stack", "init", "dev"], source, variables);
  await pulumi(["up", "--yes", "--skip-preview"], source, variables);
  const state = JSON.parse(await pulumi(["stack", "export"], source, variables));
  // The API never returns all values of a rule: the import says which to add.
  const resources = (state.deployment.resources as StateResource[])
    .filter(({ type }) => type.startsWith("kcloud:") && !type.endsWith("Rule"))
    .map(entryOf);
  const project = await writeProject("imported", language);
  await writeFile(join(project, "import.json"), JSON.stringify({ resources }));
  await pulumi(["stack", "init", "dev"], project, variables);
  const { file } = runtimes[language];
  const options = ["--yes", "--skip-preview", "--protect=false", "--out", "code"];
  await pulumi(["import", "--file", "import.json", ...options], project, generating(variables));
  if (language === "yaml") {
    const code = await readFile(join(project, "code"), "utf8");
    await writeFile(join(project, file), code, { flag: "a" });
  } else await rename(join(project, "code"), join(project, file));
  if (language === "go") await compileGo("imported", project);
  const preview = await pulumi(["preview", "--expect-no-changes", "--json"], project, variables);
  expect(JSON.parse(preview).changeSummary).toEqual({ same: resources.length + 1 });
});

test.each(["typescript", "python", "go"] as const)(
  "pulumi package add writes an SDK in %s from the command of the package",
  async (language) => {
    const project = await writeProject("added", language);
    const plugin = relative(project, program("pulumi-resource-kcloud"));
    await pulumi(["package", "add", plugin], project, generating(await environment()));
    expect(await readdir(join(project, "sdks"))).toEqual(["kcloud"]);
    expect(await readFile(join(project, "Pulumi.yaml"), "utf8")).toContain("  kcloud: kcloud@");
    if (language === "go") await vetStart(project);
  },
);

/** Checks the program of `kcloud init` with the SDK of its project. */
async function vetStart(project: string): Promise<void> {
  const { "go.mod": module = "", "main.go": main = "" } = constants()["pulumi-go"];
  await writeFile(join(project, "go.mod"), module);
  await writeFile(join(project, "main.go"), main);
  expect(await runGo("-C", project, "mod", "tidy", "-compat=1.18")).toMatch(/^(go: .*\n)*$/);
  expect(await runGo("-C", project, "vet", ".")).toBe("");
}

test("pulumi package gen-sdk writes the SDK of a release", async () => {
  const project = await writeProject("generated", "python");
  const plugin = relative(project, program("pulumi-resource-kcloud"));
  const generate = ["package", "gen-sdk", plugin, "--language", "python", "--out", "sdk"];
  await pulumi(generate, project, generating(await environment()));
  const released = await generateProject("python");
  const files = (await readdir(join(project, "sdk/python"), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(join(project, "sdk/python"), file);
    expect([path, await readFile(file, "utf8")]).toEqual([path, `${released.get(path)}`]);
  }
  // A release adds the licence and the page that pyproject.toml names.
  expect(files.length).toBe(released.size - 2);
});
