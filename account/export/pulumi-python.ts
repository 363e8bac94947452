import { className } from "../../provider/core/name.ts";
import { type CodeEntry, quoted, stringList, textCode } from "./code.ts";
import { ignoredReason } from "./comment.ts";
import type { FileBy } from "./hcl.ts";
import { inputType } from "./input-type.ts";
import { startOfLine } from "./layout.ts";
import { type Library, programModules } from "./module.ts";
import { requirementsFile } from "./package.ts";
import type { Block, Project } from "./project.ts";
import { importFile, projectLines, remedyLines } from "./pulumi.ts";
import {
  type Argument,
  callText,
  python,
  pythonLiteral,
  pythonName,
  sdk,
  valueText,
} from "./python-syntax.ts";
import { pythonVariableNames, type VariableNames, variableNames } from "./variable.ts";

/** Project as a Pulumi program in Python. Resources have the names that they have in the programs of other languages. */

/** Runtime of the program: `pulumi install` makes the virtual environment. */
const runtime = ["runtime:", "  name: python", "  options:", "    toolchain: pip", "    virtualenv: venv"];

const library = (nameOf: VariableNames): Library => ({
  language: python,
  words: "pulumi",
  imports: (blocks) => [
    ...(blocks.some(({ ignored }) => ignored.length > 0) ? [["pulumi", []] as const] : []),
    ["pulumi_kcloud", []],
  ],
  typeOf: inputType,
  literal: pythonLiteral,
  name: pythonName,
  key: (key) => key,
  attribute: (variable, path) => [variable, ...path.map(pythonName)].join("."),
  statements: (block, variable, inputs) => statement(block, nameOf(block), variable, inputs),
  remedy: (block) => remedyLines(block, nameOf(block)),
});

/** Returns the content of each file by its name. The same project gives the same files. */
export function pulumiPythonFiles(project: Project, by: FileBy): Map<string, string> {
  const { blocks } = project;
  const modules = programModules(project, by, library(variableNames(blocks)), pythonVariableNames(blocks));
  const imports = [...modules.keys()].map((file) => `import ${python.module(file)}\n`);
  return new Map([
    ["Pulumi.yaml", `${projectLines(project, runtime, []).join("\n")}\n`],
    ["requirements.txt", requirementsFile],
    ["import.json", importFile(project)],
    ["__main__.py", imports.join("")],
    ...modules,
  ]);
}

/** Returns the lines of the statement that creates a resource. */
function statement(
  { kind, ignored }: Block,
  name: string,
  variable: string,
  inputs: readonly CodeEntry[],
): string[] {
  const start = `${variable} = `;
  const options: Argument = [
    "opts",
    (position) =>
      callText(
        "pulumi.ResourceOptions",
        [["ignore_changes", valueText(stringList(ignored.map(pythonName), quoted))]],
        position,
      ),
    ignoredReason,
  ];
  const args: Argument[] = [
    [undefined, valueText(textCode(quoted(name)))],
    ...inputs.map(([input, value]): Argument => [input, valueText(value)]),
    ...(ignored.length === 0 ? [] : [options]),
  ];
  const position = { ...startOfLine, before: start.length };
  return `${start}${callText(`${sdk}.${className(kind)}`, args, position)}`.split("\n");
}
