/** Description of `kcloud init`. */

/** Languages of a first Pulumi program. */
export const languages = ["typescript", "yaml", "python", "go"] as const;

export type Language = (typeof languages)[number];

const languageOption = {
  language: {
    type: "string",
    value: "LANGUAGE",
    values: languages,
    about: "language of a Pulumi program. Default: typescript",
  },
} as const;

const hostOptions = {
  github: { type: "boolean", about: "of review: also the workflows of GitHub Actions" },
  gitlab: { type: "boolean", about: "of review: also the pipeline of GitLab" },
  shell: { type: "boolean", about: "of review: only the script and the policy, as by default" },
} as const;

export const initCommand = {
  about: "writes the first files of a project or of a review",
  usage: [
    "init terraform|opentofu|cdktf",
    "init pulumi [--language LANGUAGE]",
    "init review [--github|--gitlab|--shell]",
  ],
  description: `Writes a program with a VPC and a volume, or the script, policy and workflows of
a review of planned changes, to the current folder, and prints the next
commands. The program runs against the emulator, without an account.

If one of the files exists, nothing is written.`,
  options: { ...languageOption, ...hostOptions },
  subcommands: {
    terraform: { about: "a configuration for Terraform", options: {} },
    opentofu: { about: "a configuration for OpenTofu", options: {} },
    pulumi: { about: "a program for Pulumi", options: languageOption },
    cdktf: { about: "an app for CDKTF", options: {} },
    review: { about: "a review of planned changes", options: hostOptions },
  },
  notes: `For Terraform, OpenTofu and CDKTF, the command also copies the provider to the
mirror ~/.kcloud/mirror, unless a mirror of the CLI configuration has it. For
Python and Go, it copies the plugin to the folder of Pulumi, unless that has it.`,
} as const;
