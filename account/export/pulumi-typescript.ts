import { className } from "../../provider/core/name.ts";
import { type CodeEntry, jsonString, objectCode, stringList } from "./code.ts";
import { ignoredReason } from "./comment.ts";
import type { FileBy } from "./hcl.ts";
import { type Library, programModules } from "./module.ts";
import { packageFile, tsconfigFile } from "./package.ts";
import type { Block, Project } from "./project.ts";
import { importFile, projectLines, remedyLines } from "./pulumi.ts";
import { callLines, typescript, typescriptLiteral, typescriptText } from "./typescript-syntax.ts";
import { variableNames } from "./variable.ts";

/** Project as a Pulumi program in TypeScript. */

const library: Library = {
  language: typescript,
  words: "pulumi",
  imports: (blocks) => [["@kcloud/iac/pulumi", blocks.map(({ kind }) => className(kind))]],
  typeOf: () => undefined,
  literal: typescriptLiteral,
  name: (field) => field,
  key: (key) => key,
  attribute(variable, path) {
    const [name, ...inner] = path;
    const output = `${variable}.${name}`;
    // A group is an optional output.
    return inner.length === 0 ? output : `${output}.apply((group) => group!.${inner.join(".")})`;
  },
  statements,
  remedy: remedyLines,
};

/** Runtime of the program: Node runs its TypeScript. */
const runtime = ["runtime:", "  name: nodejs", "  options:", "    typescript: false", "main: index.ts"];

/** Returns the content of each file by its name. The same project gives the same files. */
export function pulumiTypescriptFiles(project: Project, by: FileBy): Map<string, string> {
  const modules = programModules(project, by, library, variableNames(project.blocks));
  const imports = [...modules.keys()].map((file) => `import ${jsonString(`./${file}`)};\n`);
  return new Map([
    ["Pulumi.yaml", `${projectLines(project, runtime).join("\n")}\n`],
    ["package.json", packageFile(["@pulumi/pulumi"], true)],
    ["tsconfig.json", tsconfigFile],
    ["import.json", importFile(project)],
    ["index.ts", imports.join("")],
    ...modules,
  ]);
}

function statements({ kind, ignored }: Block, variable: string, inputs: readonly CodeEntry[]): string[] {
  const name = jsonString(variable);
  const start = `export const ${variable} = new ${className(kind)}`;
  if (ignored.length === 0) return callLines(start, [name], objectCode(inputs));
  const argument = { indent: 2, before: 2, after: 1 };
  const options = objectCode([["ignoreChanges", stringList(ignored, jsonString)]]);
  return [
    `${start}(`,
    `  ${name},`,
    ...`  ${typescriptText(objectCode(inputs), argument)},`.split("\n"),
    `  // ${ignoredReason}`,
    ...`  ${typescriptText(options, argument)},`.split("\n"),
    ");",
  ];
}
