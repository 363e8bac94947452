import { className, provider, pulumiToken } from "../../provider/core/name.ts";
import { jsonFile, pluginFolder, programName, pythonWheel } from "./package.ts";
import type { Block, Project } from "./project.ts";
import { shellArgument } from "./shell.ts";
import { variableNames } from "./variable.ts";
import { yamlScalar } from "./yaml-syntax.ts";

/** Files and commands of Pulumi that all languages share. */

/** Options of `pulumi import` with which the program is that of the export, and objects are not protected. */
const importOptions = "--generate-code=false --protect=false";

/** Command that imports the objects. */
export const importCommand = `pulumi import --file import.json ${importOptions}`;

/** Commands that import and preview the program, after those that install what it needs. */
const commandsAfter = (...installation: readonly string[]): readonly string[] => [
  ...installation,
  "pulumi stack init",
  importCommand,
  "pulumi preview",
];

export const pulumiCommands = commandsAfter("npm install");

/** Commands for a program in Python, whose plugin is that of the machine, and whose SDK is a file of the release. */
export const pulumiPythonCommands = commandsAfter(
  "kcloud install pulumi",
  `pulumi install    (with ${pythonWheel} of the release in this folder)`,
);

const pluginLines = ["plugins:", "  providers:", `    - name: ${provider}`, `      path: ${pluginFolder}`];

/**
 * Returns the lines of `Pulumi.yaml` with the settings of the project and the provider, which contain no credentials. `plugin` are
 * the lines that name the folder of the plugin, none for one that is installed.
 */
export const projectLines = (
  { region }: Project,
  runtime: readonly string[],
  plugin: readonly string[] = pluginLines,
): string[] => [
  `name: ${programName}`,
  ...runtime,
  ...plugin,
  "# Credentials are set in the environment or in a profile.",
  ...(region === undefined ? [] : ["config:", `  ${provider}:region:`, `    value: ${yamlScalar(region)}`]),
];

/** Returns the file of `pulumi import --file`, with the resources in force. */
export function importFile({ blocks }: Project): string {
  const variableOf = variableNames(blocks);
  return jsonFile({
    resources: blocks
      .filter(({ problems }) => problems.length === 0)
      .map((block) => ({ type: pulumiToken(block.kind), name: variableOf(block), id: block.importId })),
  });
}

/** Returns the lines of a comment that say how to manage a resource whose values are incomplete. */
export const remedyLines = ({ kind, importId }: Block, variable: string): string[] => [
  "To manage it, fill in the values, remove the comment signs, and import it:",
  `pulumi import ${importOptions} ${pulumiToken(kind)} ${variable} ${shellArgument(importId)}`,
];

/** Returns the type of a resource in a program of YAML. */
export const yamlType = (kind: string): string => `${provider}:${className(kind)}`;
