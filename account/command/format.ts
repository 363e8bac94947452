import type { Words } from "../../provider/core/wording.ts";
import { cdktfFiles, configurationFolder } from "../export/cdktf.ts";
import { type FileBy, hclFiles } from "../export/hcl.ts";
import type { Project } from "../export/project.ts";
import { pulumiCommands, pulumiPythonCommands } from "../export/pulumi.ts";
import { pulumiPythonFiles } from "../export/pulumi-python.ts";
import { pulumiTypescriptFiles } from "../export/pulumi-typescript.ts";
import { pulumiYamlFiles } from "../export/pulumi-yaml.ts";
import type { exportCommand } from "./option.ts";

/** Formats of `kcloud export`. */

export type FormatName = keyof typeof exportCommand.options.format.values;

interface Format {
  /** Engine whose terms the output uses. */
  readonly words: Words;
  /** Returns the content of each file by its name. */
  write(project: Project, by: FileBy): Map<string, string>;
  /** Commands, in the folder of the project, that show its plan. */
  readonly commands: readonly string[];
}

export const formats: Readonly<Record<FormatName, Format>> = {
  terraform: {
    words: "terraform",
    write: hclFiles,
    commands: ["terraform init    (or tofu init)", "terraform plan    (or tofu plan)"],
  },
  "pulumi-typescript": { words: "pulumi", write: pulumiTypescriptFiles, commands: pulumiCommands },
  "pulumi-python": { words: "pulumi", write: pulumiPythonFiles, commands: pulumiPythonCommands },
  "pulumi-yaml": { words: "pulumi", write: pulumiYamlFiles, commands: pulumiCommands },
  cdktf: {
    words: "terraform",
    write: cdktfFiles,
    commands: [
      "npm install",
      "node main.ts",
      `terraform -chdir=${configurationFolder} init    (or tofu)`,
      `terraform -chdir=${configurationFolder} plan    (or tofu)`,
    ],
  },
};
