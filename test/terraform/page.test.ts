import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import ts from "typescript";
import { terraformSource } from "../../provider/core/name.ts";
import { existingPages, isGenerated } from "../../tools/docs.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { type Folder, openFolder, required, succeed } from "../support/engine/terraform.ts";

/** Generated pages with the real Terraform, the checker of its registry, and the TypeScript compiler. */

const root = join(import.meta.dirname, "../..");
const pages = existingPages().filter(isGenerated);
const terraform = await ensureEngine("terraform");
const checker = await ensureEngine("tfplugindocs");

let path: string;
let folder: Folder;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), "kcloud-page-"));
  folder = await openFolder(terraform, path, {});
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  await writeFile(join(path, "main.tf.json"), JSON.stringify({ terraform: required.terraform }));
  await succeed(folder, ["init"]);
});
afterAll(() => rm(path, { recursive: true, force: true }));

/** Returns the blocks of code of this language on all pages that match, without repetitions. */
const blocksOf = (language: string, pattern: RegExp): string[] => [
  ...new Set(
    pages.flatMap(({ text }) =>
      [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, named, code = ""]) =>
        named === language && pattern.test(code) ? [code] : [],
      ),
    ),
  ),
];

test("the checker of the registry finds a page for every definition, and no error", async () => {
  const schemas = JSON.parse(await succeed(folder, ["providers", "schema", "-json"]));
  const schema = join(path, "schema.json");
  // The checker looks for a provider by its name without the namespace.
  const renamed = { ...schemas, provider_schemas: { kcloud: schemas.provider_schemas[terraformSource] } };
  await writeFile(schema, JSON.stringify(renamed));
  const options = ["--provider-dir", root, "--provider-name", "kcloud", "--providers-schema", schema];
  const { stdout } = await promisify(execFile)(checker.path, ["validate", ...options]);
  expect(stdout).toContain("running file mismatch check");
});

test("every block of an action, an ephemeral resource or a list that is not from an example is formatted and valid", async () => {
  const blocks = blocksOf("hcl", /^(ephemeral|action) "\w+" "example"/);
  const lists = blocksOf("hcl", /^list /);
  expect([blocks.length, lists.length].every((count) => count > 10)).toBe(true);
  const names = new Set([...blocks, ...lists].join("\n").match(/(?<=\bvar\.)\w+/g));
  await writeFile(join(path, "page.tf"), blocks.join("\n"));
  await writeFile(join(path, "page.tfquery.hcl"), lists.join("\n"));
  await writeFile(join(path, "variable.tf"), [...names].map((name) => `variable "${name}" {}\n`).join("\n"));
  await succeed(folder, ["fmt", "-check", "-diff"]);
  await succeed(folder, ["validate", "-query"]);
});

test("every program compiles, and every class of CDKTF and CDKTN on the pages exists", async () => {
  const programs = blocksOf("ts", /@kcloud\/iac\/(pulumi|cdktf)"/);
  expect(programs.length).toBeGreaterThan(85);
  const classes = (library: string, pattern: RegExp) => {
    const names = pages.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(3);
    return `import { ${names.join(", ")} } from "@kcloud/iac/${library}";\nexport const all = [${names.join(", ")}];\n`;
  };
  const sources = [
    ...programs,
    ...programs.flatMap((program) =>
      program.includes('from "cdktf"') ? [program.replaceAll(/(?<=["/])cdktf"/g, 'cdktn"')] : [],
    ),
    classes("cdktf", /^Pulumi: .*CDKTF and CDKTN: class `(\w+)`/m),
    classes("cdktn", /^Pulumi: .*CDKTF and CDKTN: class `(\w+)`/m),
    classes("cdktn", /CDKTN: class `(Ephemeral\w+)`/),
  ];
  const files = await Promise.all(
    sources.map(async (source, at) => {
      const file = join(path, `program-${at}.mts`);
      await writeFile(file, source);
      return file;
    }),
  );
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    lib: ["lib.es2024.d.ts"],
    types: ["node"],
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  });
  const wrong = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(wrong).toEqual([]);
});
