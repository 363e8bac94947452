import { fileURLToPath } from "node:url";

/** How one pinned engine is brought in: downloaded by its own launcher where it has one, else built from Go modules. */
export interface Recipe {
  /** Names its folder in the cache and the argument of `npm run engines`. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  readonly version: string;
  /** The command to run, and the arguments, if there are any, that make it print its version. */
  readonly command: string;
  readonly versionArguments?: readonly string[];
  /** What the command needs in its environment to keep to itself. */
  readonly env?: Readonly<Record<string, string>>;
  readonly launcher?: Launcher;
  readonly builds: readonly GoBuild[];
}

/** A Node script that downloads the engine into `$PULUMI_HOME` before it runs it. */
export interface Launcher {
  readonly script: string;
  readonly arguments: readonly string[];
  /** Where under `$PULUMI_HOME` the engine then is: a folder with `bin` in it. */
  readonly folder: string;
}

/** One `go build` in a wrapper module: a folder whose go.mod and go.sum pin everything. */
export interface GoBuild {
  readonly module: string;
  readonly package: string;
  readonly output: string;
  readonly tags?: string;
  /** Linker variables by their full name. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A folder of the module that its go.mod expects under several names. */
  readonly copies?: { readonly from: string; readonly to: readonly string[] };
  /** Scripts taken as they are from a module that the build needed. */
  readonly scripts?: { readonly module: string; readonly files: readonly string[] };
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const pulumiVersion = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** Pulumi's command and the host of Node programs. The host is older: later ones are nested modules without a tag. */
export const pulumi: Recipe = {
  name: "pulumi",
  title: "Pulumi",
  version: "3.259.0",
  command: "pulumi",
  versionArguments: ["version"],
  env: { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" },
  launcher: {
    script: folder("../../node_modules/pulumi/run.js"),
    arguments: ["version"],
    folder: "versions/3.259.0",
  },
  builds: [
    {
      module: folder("pulumi"),
      package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
      output: "pulumi",
      tags: "osusergo,grpcnotrace",
      variables: { [pulumiVersion]: "v3.259.0" },
      scripts: {
        module: "github.com/pulumi/pulumi/sdk/v3",
        files: ["nodejs/dist/pulumi-resource-pulumi-nodejs"],
      },
    },
    {
      module: folder("pulumi-language-nodejs"),
      package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
      output: "pulumi-language-nodejs",
      variables: { [pulumiVersion]: "v3.68.0" },
    },
  ],
};

/** The host of YAML programs, for a Pulumi that was built here: the official release has its own. */
export const pulumiYaml: Recipe = {
  name: "pulumi-yaml",
  title: "Pulumi YAML",
  version: "1.38.1",
  command: "pulumi-language-yaml",
  builds: [
    {
      module: folder("pulumi-language-yaml"),
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
      output: "pulumi-language-yaml",
      variables: { "github.com/pulumi/pulumi-yaml/pkg/version.Version": "v1.38.1" },
    },
  ],
};

export const opentofu: Recipe = {
  name: "opentofu",
  title: "OpenTofu",
  version: "1.12.6",
  command: "tofu",
  versionArguments: ["version"],
  env: { CHECKPOINT_DISABLE: "true" },
  builds: [
    {
      module: folder("opentofu"),
      package: "github.com/opentofu/opentofu/cmd/tofu",
      output: "tofu",
      variables: { "github.com/opentofu/opentofu/version.dev": "no" },
    },
  ],
};

/** Terraform without its remote-state backends: nested modules that no proxy serves; all of them keep state in memory. */
export const terraform: Recipe = {
  name: "terraform",
  title: "Terraform",
  version: "1.16.0",
  command: "terraform",
  versionArguments: ["version"],
  env: { CHECKPOINT_DISABLE: "true" },
  builds: [
    {
      module: folder("terraform"),
      package: "github.com/hashicorp/terraform",
      output: "terraform",
      variables: { "github.com/hashicorp/terraform/version.dev": "no" },
      copies: {
        from: "backend",
        to: ["azure", "consul", "cos", "gcs", "kubernetes", "legacy", "oci", "oss", "pg", "s3"].map(
          (name) => `stub/${name}`,
        ),
      },
    },
  ],
};
