import { type Code, type CodeEntry, objectCode, stringList, textCode } from "./code.ts";
import { commented, commentReason, ignoredReason } from "./comment.ts";
import { packageFile } from "./package.ts";
import type { Block, Entry, Expression, Project } from "./project.ts";
import { importFile, projectLines, remedyLines, yamlType } from "./pulumi.ts";
import { variableNames } from "./variable.ts";
import { yamlEntry, yamlScalar } from "./yaml-syntax.ts";

/** Project as a Pulumi program in YAML. */

type VariableOf = ReturnType<typeof variableNames>;

/** Returns the content of each file by its name. The same project gives the same files. */
export function pulumiYamlFiles(project: Project): Map<string, string> {
  const variableOf = variableNames(project.blocks);
  const isEmpty = project.blocks.every(({ problems }) => problems.length > 0);
  const lines = [
    ...projectLines(project, ["runtime: yaml"]),
    isEmpty ? "resources: {}" : "resources:",
    ...project.blocks.flatMap((block) => linesOf(block, variableOf).map((line) => `  ${line}`)),
  ];
  return new Map([
    ["Pulumi.yaml", `${lines.join("\n")}\n`],
    ["package.json", packageFile([], false)],
    ["import.json", importFile(project)],
  ]);
}

/** Returns the lines of a resource; as a comment, with the reason, if the resource cannot be written. */
function linesOf(block: Block, variableOf: VariableOf): string[] {
  const { kind, problems } = block;
  const variable = variableOf(block);
  const unwritable = block.inputs.filter(([, value]) => hasFunctionKey(value)).map(([name]) => name);
  const inputs = block.inputs.filter(([name]) => !unwritable.includes(name));
  const ignored = [...block.ignored, ...unwritable];
  const reasons = [
    ...(block.ignored.length === 0 ? [] : [ignoredReason]),
    ...(unwritable.length === 0
      ? []
      : [`Pulumi YAML would call a key of ${unwritable.join(", ")} as a function.`]),
  ];
  const options: CodeEntry[] = [["ignoreChanges", stringList(ignored, yamlScalar), reasons.join(" ")]];
  const lines = yamlEntry(
    [
      variable,
      objectCode([
        ["type", textCode(yamlType(kind))],
        ["properties", objectCode(entriesOf(inputs, variableOf))],
        ...(ignored.length === 0 ? [] : [["options", objectCode(options)] as const]),
      ]),
    ],
    0,
  );
  if (problems.length === 0) return lines;
  return commented([commentReason(block, "pulumi"), ...remedyLines(block, variable), "", ...lines], "#");
}

/** Returns true for a map with a key that the language reads as a function or an asset; it has no escape for such a key. */
const hasFunctionKey = (expression: Expression): boolean =>
  expression.kind === "list"
    ? expression.items.some(hasFunctionKey)
    : (expression.kind === "map" || expression.kind === "group") &&
      expression.entries.some(([key, value]) => /^fn::/i.test(key) || hasFunctionKey(value));

const entriesOf = (entries: readonly Entry[], variableOf: VariableOf): CodeEntry[] =>
  entries.map(([name, value]) => [name, codeOf(value, variableOf)]);

function codeOf(expression: Expression, variableOf: VariableOf): Code {
  switch (expression.kind) {
    case "literal":
      return textCode(yamlScalar(expression.value));
    case "reference":
      return textCode(JSON.stringify(`\${${[variableOf(expression.to), ...expression.path].join(".")}}`));
    case "list":
      return { kind: "list", items: expression.items.map((item) => codeOf(item, variableOf)) };
    case "group":
    case "map":
      return objectCode(entriesOf(expression.entries, variableOf));
  }
}
