import { className, provider, pulumiToken } from "../../provider/core/name.ts";
import { jsonFile, pluginFolder, programName } from "./package.ts";
import type { Block, Project } from "./project.ts";
import { shellArgument } from "./shell.ts";
import { variableNames } from "./variable.ts";
import { yamlScalar } from "./yaml-syntax.ts";

/** Files and commands of Pulumi that all languages share. */

/** Options of `pulumi import` with which the program is that of the export, and objects are not protected. */
const importOptions = "--generate-code=false --protect=false";

/** Commands that import and preview the program. */
export const pulumiCommands = [
  "npm install",
  "pulumi stack init",
  `pulumi import --file import.json ${importOptions}`,
  "pulumi preview",
] as const;

/** Returns the lines of `Pulumi.yaml` with the settings of the project and the provider, which contain no credentials. */
export const projectLines = ({ region }: Project, runtime: readonly string[]): string[] => [
  `name: ${programName}`,
  ...runtime,
  "plugins:",
  "  providers:",
  `    - name: ${provider}`,
  `      path: ${pluginFolder}`,
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
