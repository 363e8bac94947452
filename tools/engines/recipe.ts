import { fileURLToPath } from "node:url";

/** Pinned engine and its sources: the download by its own launcher, if it has one, else a build from Go modules. */
export interface Recipe {
  /** Name of the folder in the cache, and argument of `npm run engines`. */
  readonly name: string;
  /** Name in messages. */
  readonly title: string;
  readonly version: string;
  /** Command to run, and the arguments, if any, with which it prints its version. */
  readonly command: string;
  readonly versionArguments?: readonly string[];
  /** Environment variables that keep the command from contacting update and plugin servers by itself. */
  readonly env?: Readonly<Record<string, string>>;
  readonly launcher?: Launcher;
  readonly builds: readonly GoBuild[];
}

/** Node script that downloads the engine into `$PULUMI_HOME` before it runs the engine. */
export interface Launcher {
  readonly script: string;
  readonly arguments: readonly string[];
  /** Folder of the engine in `$PULUMI_HOME`, with `bin` in it. */
  readonly folder: string;
}

/** `go build`, or `go test -c`, in a wrapper module: a folder whose go.mod and go.sum pin all dependencies. */
export interface GoBuild {
  readonly module: string;
  readonly package: string;
  readonly output: string;
  /** True for the test binary of the package. */
  readonly isTest?: true;
  readonly tags?: string;
  /** Linker variables by their full names. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Folder of the module that its go.mod requires under several names. */
  readonly copies?: { readonly from: string; readonly to: readonly string[] };
  /** Scripts that are copied unchanged from a module on which the build depends. */
  readonly scripts?: { readonly module: string; readonly files: readonly string[] };
}

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const pulumiVersion = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Pulumi's command and its language host for Node programs. The host is older: its later versions are nested modules
 * without a tag.
 */
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

/**
 * Language host for YAML programs, for a Pulumi that was built from Go modules: the official release includes the host.
 */
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

/** Generators of Pulumi for SDKs and programs, of the version of its command, and the converter that reads programs in YAML. */
export const pulumiCodegen: Recipe = {
  name: "pulumi-codegen",
  title: "The code generators of Pulumi",
  version: "3.259.0",
  command: "pulumi-codegen",
  builds: [
    { module: folder("pulumi-codegen"), package: ".", output: "pulumi-codegen" },
    {
      module: folder("pulumi-language-yaml"),
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
      output: "pulumi-converter-yaml",
    },
  ],
};

/** Language hosts for Python and Go programs. As the one for Node programs, they are older than the command. */
export const pulumiLanguages: Recipe = {
  name: "pulumi-languages",
  title: "The language hosts of Pulumi for Python and Go",
  version: "3.68.0",
  command: "pulumi-language-python",
  builds: [
    {
      module: folder("pulumi-language-python"),
      package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
      output: "pulumi-language-python",
      variables: { [pulumiVersion]: "v3.68.0" },
      scripts: {
        module: "github.com/pulumi/pulumi/sdk/v3",
        files: ["python/cmd/pulumi-language-python-exec"],
      },
    },
    {
      module: folder("pulumi-language-go"),
      package: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
      output: "pulumi-language-go",
      variables: { [pulumiVersion]: "v3.66.0" },
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

/**
 * Terraform without its backends for remote state, which are nested modules that no module proxy serves. In their
 * place, a stub keeps the state in memory.
 */
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

/** Checker of the pages of a registry. */
export const tfplugindocs: Recipe = {
  name: "tfplugindocs",
  title: "tfplugindocs",
  version: "0.25.0",
  command: "tfplugindocs",
  versionArguments: ["--version"],
  builds: [
    {
      module: folder("tfplugindocs"),
      package: "github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs",
      output: "tfplugindocs",
      variables: { "github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs/build.version": "0.25.0" },
    },
  ],
};

/** Official acceptance harness of Terraform providers, as a test binary with the steps of this repository. */
export const acceptance: Recipe = {
  name: "acceptance",
  title: "The acceptance harness",
  version: "1.16.0",
  command: "acceptance.test",
  builds: [
    {
      module: folder("../../test/acceptance/harness"),
      package: ".",
      output: "acceptance.test",
      isTest: true,
    },
  ],
};
