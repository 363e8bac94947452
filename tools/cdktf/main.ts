import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { provider, terraformSource } from "../../provider/core/name.ts";
import type { SchemaDocument } from "../../provider/terraform/codec/document.ts";
import { type ClassModel, type Library, namingProblems } from "./naming.ts";

/**
 * Program `node main.ts cdktf|cdktn FOLDER`: reads a schema document from standard input and writes its bindings. Each
 * generator needs its own process: it loads a WebAssembly module that cannot be loaded twice, and prints to stdout.
 */

/** Common exports of both generators. */
interface Generators {
  readonly CodeMaker: new () => { readonly save: (folder: string) => Promise<unknown> };
  readonly TerraformProviderGenerator: new (
    code: object,
    document: SchemaDocument,
  ) => {
    readonly generateAll: () => void;
    readonly buildResourceModels: (source: string) => readonly ClassModel[];
  };
}

async function generate(flavour: string, document: string, folder: string): Promise<void> {
  const { CodeMaker, TerraformProviderGenerator }: Generators = await import(
    `@${flavour}/provider-generator`
  );
  const library: Library = await import(flavour);
  const models = (schema: SchemaDocument) =>
    new TerraformProviderGenerator(new CodeMaker(), schema).buildResourceModels(terraformSource);
  const problems = namingProblems(JSON.parse(document), models, library);
  if (problems.length > 0) throw new Error(problems.join("\n"));

  const code = new CodeMaker();
  new TerraformProviderGenerator(code, JSON.parse(document)).generateAll();
  await code.save(folder);
  arrange(folder);
}

/** Replaces the nested namespaces of the generator with one folder per class and one index of all classes. */
function arrange(folder: string): void {
  const generated = join(folder, "providers", provider);
  const modules = readdirSync(generated, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (modules.length === 0) throw new Error("the generator wrote nothing");
  const index = modules.map(({ name }) => {
    renameSync(join(generated, name), join(folder, name));
    const file = join(folder, name, "index.ts");
    const source = withoutLinks(readFileSync(file, "utf8"));
    writeFileSync(file, source);
    return exportsOf(name, source);
  });
  rmSync(join(folder, "providers"), { recursive: true });
  writeFileSync(join(folder, "index.ts"), index.join(""));
}

/** Returns the exports of classes and of the types of their settings, without the conversion functions. */
function exportsOf(module: string, source: string): string {
  const line = (keyword: string, kind: string) => {
    const names = Array.from(source.matchAll(RegExp(`^export ${kind} (\\w+)`, "gm")), ([, name]) => name);
    return names.length === 0 ? "" : `${keyword} { ${names.join(", ")} } from "./${module}/index.js";\n`;
  };
  return line("export", "class") + line("export type", "interface");
}

/** Returns the text without links to registry pages that do not exist. */
const withoutLinks = (text: string): string =>
  text
    .replace(/^\/\/ https:.*\n/, "")
    .replace(/^ *\*\n *\* Docs at Terraform Registry: .*\n/gm, "")
    .replace(/ Refer to the \{@link \S+ import section\} .*/g, "")
    .replace(/\{@link https:\/\/registry\S+ (\w+)\}/g, "$1");

const [flavour = "", folder = ""] = process.argv.slice(2);
try {
  await generate(flavour, readFileSync(0, "utf8"), folder);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`no bindings for ${flavour}:\n${reason}`);
  process.exitCode = 1;
}
// The WebAssembly module keeps the event loop alive.
process.exit();
