import { className, provider, snakeCase } from "../../provider/core/name.ts";
import { type CodeEntry, jsonString, lineWidth, objectCode, stringList } from "./code.ts";
import { ignoredReason } from "./comment.ts";
import type { FileBy } from "./hcl.ts";
import { withoutTemplates } from "./hcl-syntax.ts";
import { type Library, programModules } from "./module.ts";
import { jsonFile, packageFile, programName, tsconfigFile } from "./package.ts";
import type { Block, Project } from "./project.ts";
import { callLines, typescript, typescriptLiteral } from "./typescript-syntax.ts";
import { variableNames } from "./variable.ts";

/** Project as an app of CDKTF. */

const module = "@kcloud/iac/cdktf";

/** Folder with the configuration that the app writes for Terraform. */
export const configurationFolder = `cdktf.out/stacks/${programName}`;

/** Returns a text without templates of Terraform, and without the marks by which CDKTF finds its tokens in texts. */
const literal = (value: string): string => withoutTemplates(value).replaceAll("TfToken[", '${"TfToken["}');

const text = (value: string): string => typescriptLiteral(literal(value));

const library: Library = {
  // Attributes have the names of the bindings.
  words: "pulumi",
  language: typescript,
  imports: (blocks) => [
    [module, blocks.map(({ kind }) => className(kind))],
    ["./stack.ts", ["stack"]],
  ],
  typeOf: () => undefined,
  literal: (value) => (typeof value === "string" ? text(value) : typescriptLiteral(value)),
  name: (field) => field,
  key: literal,
  attribute: (variable, path) => [variable, ...path].join("."),
  statements,
  remedy: () => ["To manage it, fill in the values and remove the comment signs."],
};

/** Returns the content of each file by its name. The same project gives the same files. */
export function cdktfFiles(project: Project, by: FileBy): Map<string, string> {
  const modules = programModules(project, by, library, variableNames(project.blocks));
  const imports = [...modules.keys()].map((file) => `import ${jsonString(`./${file}`)};`);
  const main = ['import { app } from "./stack.ts";', ...imports, "", "app.synth();"];
  return new Map([
    ["cdktf.json", jsonFile({ language: "typescript", app: "node main.ts", sendCrashReports: "false" })],
    ["package.json", packageFile(["cdktf", "constructs"], true)],
    ["tsconfig.json", tsconfigFile],
    ["main.ts", `${main.join("\n")}\n`],
    ["stack.ts", `${stackLines(project).join("\n")}\n`],
    ...modules,
  ]);
}

/** Returns the lines of the module with the stack and the provider, whose settings contain no credentials. */
const stackLines = ({ region }: Project): string[] => [
  `import { KcloudProvider } from ${jsonString(module)};`,
  'import { App, TerraformStack } from "cdktf";',
  "",
  "export const app = new App();",
  `export const stack = new TerraformStack(app, ${jsonString(programName)});`,
  "",
  "// Credentials are set in the environment or in a profile.",
  `new KcloudProvider(stack, ${jsonString(provider)}${region === undefined ? "" : `, { region: ${text(region)} }`});`,
];

function statements(
  { kind, importId, ignored }: Block,
  variable: string,
  inputs: readonly CodeEntry[],
): string[] {
  const lifecycle: CodeEntry = [
    "lifecycle",
    objectCode([["ignoreChanges", stringList(ignored.map(snakeCase), jsonString)]]),
    ignoredReason,
  ];
  const settings = objectCode([...inputs, ...(ignored.length === 0 ? [] : [lifecycle])]);
  const id = text(importId);
  const call = `${variable}.importFrom(${id});`;
  return [
    ...callLines(
      `export const ${variable} = new ${className(kind)}`,
      ["stack", jsonString(variable)],
      settings,
    ),
    ...(call.length <= lineWidth ? [call] : [`${variable}.importFrom(`, `  ${id},`, ");"]),
  ];
}
