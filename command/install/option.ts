/** Description of `kcloud install`. */

/** Platforms on which the program of the npm package runs. */
export const platforms = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"] as const;

export const installCommand = {
  about: "installs the provider for Terraform and OpenTofu, or the Pulumi plugin",
  usage: ["install terraform [options]", "install pulumi"],
  description: `Copies the provider of this package to a filesystem mirror, from which Terraform
and OpenTofu install it, and prints the block for their CLI configuration.
For pulumi, copies the plugin to the folder of Pulumi; it has no options.`,
  options: {
    platform: {
      type: "string",
      multiple: true,
      value: "OS_ARCH",
      values: platforms,
      about: `platform of the mirror; repeatable. Default: ${platforms.join(", ")}`,
    },
    mirror: {
      type: "string",
      value: "DIR",
      path: "folder",
      about: "folder of the mirror. Default: ~/.kcloud/mirror",
    },
    write: {
      type: "boolean",
      about: "adds the block to the CLI configuration and keeps a backup of the file",
    },
  },
  subcommands: {
    terraform: { about: "for Terraform and OpenTofu" },
    pulumi: { about: "for Pulumi" },
  },
  notes: `The CLI configuration is the file in TF_CLI_CONFIG_FILE, else ~/.terraformrc and
the file of OpenTofu, if that is another one. The folder of Pulumi is
PULUMI_HOME, else ~/.pulumi.`,
} as const;
