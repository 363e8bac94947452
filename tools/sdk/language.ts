import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { importableSchema } from "../../provider/pulumi/schema/import-form.ts";
import { packageFacts } from "../../provider/pulumi/schema/package.ts";
import { packageSchema } from "../../provider/pulumi/schema/schema.ts";
import { ensureEngine } from "../engines/engine.ts";

/** Languages whose SDKs the code generators of Pulumi write. */
export type Language = "python" | "go";

/** Text of a generated project, by its path. */
export type Project = ReadonlyMap<string, Buffer>;

const root = join(import.meta.dirname, "../..");

/** Generates the project of an SDK from the schema of the package, with the licence. The bytes depend only on the sources. */
export async function generateProject(language: Language): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-sdk-"));
  try {
    const generator = await ensureEngine("pulumi-codegen");
    const [schema, out] = [join(folder, "schema.json"), join(folder, language)];
    const spec = importableSchema(packageSchema(manifest.version));
    await writeFile(schema, JSON.stringify(spec));
    await promisify(execFile)(generator.path, [language, schema, out]);
    const files = (await readdir(out, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(
      files.map(async (file) => [relative(out, file).replaceAll("\\", "/"), await readFile(file)] as const),
    );
    const license = await readFile(join(root, "LICENSE"));
    const generated = new Map([...texts, ["LICENSE", license] as const]);
    return language === "python" ? withReadme(generated) : goModule(generated);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Adds the file that `pyproject.toml` names; the generator writes it into the package only. */
function withReadme(project: Project): Project {
  const [, readme] = [...project].find(([path]) => path.endsWith("/README.md")) ?? [];
  if (readme === undefined) throw new TypeError("the generated project has no README.md");
  return new Map([...project, ["README.md", readme]]);
}

/** Adds the files of the Go module. */
async function goModule(generated: Project): Promise<Project> {
  const moduleFile = async (name: string) => readFile(join(root, "tools/sdk/go", name), "utf8");
  const { modulePath } = packageFacts(manifest.version, manifest).language.go;
  const text = (await moduleFile("go.mod")).replace(/^module .*/, `module ${modulePath}`);
  return new Map([
    ...generated,
    ["go.mod", Buffer.from(text)],
    ["go.sum", Buffer.from(await moduleFile("go.sum"))],
  ]);
}
