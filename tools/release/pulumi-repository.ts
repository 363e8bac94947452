import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { importableSchema } from "../../provider/pulumi/schema/import-form.ts";
import { type Manifest, packageFacts } from "../../provider/pulumi/schema/package.ts";
import { packageSchema } from "../../provider/pulumi/schema/schema.ts";
import { blocks, bullets, code } from "../docs/markdown.ts";

/**
 * Files of the repository that Pulumi's registry reads at the tag of a version: the schema and two pages. The registry takes the
 * name of the package from that of the repository, `pulumi-kcloud`.
 */

const root = join(import.meta.dirname, "../..");
const starts = join(root, "examples/start");

/** Languages of programs, as the registry names them, with their first programs in `examples/start`. */
const programs = [
  { language: "typescript", file: "pulumi-typescript/index.mts" },
  { language: "python", file: "pulumi-python/__main__.py" },
  { language: "go", file: "pulumi-go/main.go" },
  { language: "yaml", file: "pulumi-yaml/Pulumi.yaml" },
] as const;

/** Facts of the owner and the languages in the schema. */
type Facts = ReturnType<typeof packageFacts>;

/** Returns the files by their paths, with the facts of an owner. */
export function pulumiRepository(owner: Manifest = manifest): ReadonlyMap<string, string> {
  const facts = packageFacts(manifest.version, owner);
  const schema = { ...importableSchema(packageSchema(manifest.version)), ...facts };
  return new Map([
    ["schema.json", `${JSON.stringify(schema, undefined, 2)}\n`],
    ["docs/_index.md", overview(facts)],
    ["docs/installation-configuration.md", installation(facts)],
    ["LICENSE", readFileSync(join(root, "LICENSE"), "utf8")],
  ]);
}

/** Returns the front matter of a page. */
const frontMatter = (title: string, description: string): string =>
  [
    "---",
    `title: ${JSON.stringify(title)}`,
    `meta_desc: ${JSON.stringify(description)}`,
    "layout: package",
    "---",
  ].join("\n");

/** Returns the first page of the package: an example in each language that has one. */
function overview(facts: Facts): string {
  const { description, displayName } = facts;
  const found = programs.filter(({ file }) => existsSync(join(starts, file)));
  const shown = found.map(({ language, file }) =>
    [
      `{{% choosable language ${language} %}}`,
      code(language, asPublished(readFileSync(join(starts, file), "utf8"), facts)),
      "{{% /choosable %}}",
    ].join("\n\n"),
  );
  return `${blocks(
    frontMatter(displayName, `${description}.`),
    `${description}.`,
    "## Example",
    `{{< chooser language "${found.map(({ language }) => language).join(",")}" >}}`,
    ...shown,
    "{{< /chooser >}}",
    "`npx kcloud emulator -- pulumi up` runs a program without an account, on an emulator of the cloud on this machine.",
  )}\n`;
}

/**
 * Returns a program as users of the registry write it: without the backend and the path of the plugin, which only `kcloud init`
 * needs, and with the Go package of the owner.
 */
const asPublished = (program: string, { language }: Facts): string =>
  program
    .replaceAll(/^(?:backend|plugins):.*\n(?: .*\n)*/gm, "")
    .replaceAll(/"[^"\n]*\/sdk\/go\/kcloud"/g, JSON.stringify(language.go.importBasePath));

/** Returns the page on the SDKs, the plugin and the settings. */
function installation({ displayName, language, pluginDownloadURL }: Facts): string {
  const { name, version } = manifest;
  const { python, go } = language;
  const settings = Object.entries(packageSchema(version).config.variables);
  const server = pluginDownloadURL === undefined ? "" : ` --server ${pluginDownloadURL}`;
  return `${blocks(
    frontMatter(
      `${displayName} Installation & Configuration`,
      `Installs the SDKs and the plugin of ${displayName}, and configures them.`,
    ),
    "## Installation",
    bullets([
      `TypeScript and JavaScript: the package \`${name}\``,
      `Python: the package \`${python.packageName}\``,
      `Go: the package \`${go.importBasePath}\``,
      "YAML: only the plugin",
    ]),
    code(
      "sh",
      [
        `npm install ${name}@${version}`,
        `pip install ${python.packageName}==${version}`,
        `go get ${go.importBasePath}@v${version}`,
        `pulumi plugin install resource kcloud v${version}${server}`,
      ].join("\n"),
    ),
    `SDK and plugin have the same version. The npm package contains the plugin: \`npx kcloud install pulumi\` installs it without a network.`,
    "## Configuration",
    "In the configuration of a stack:",
    code(
      "sh",
      [
        "pulumi config set kcloud:baseUrl https://cloud.example",
        "pulumi config set kcloud:region In-Bangalore-1",
        "pulumi config set --secret kcloud:apiKey KEY",
      ].join("\n"),
    ),
    "Or in the environment:",
    code(
      "sh",
      ["SERVICE_BASE_URL=https://cloud.example", "SERVICE_REGION=In-Bangalore-1", "SERVICE_API_KEY=KEY"]
        .map((setting) => `export ${setting}`)
        .join("\n"),
    ),
    "The settings:",
    bullets(settings.map(([setting, { description }]) => `\`kcloud:${setting}\`: ${description}`)),
  )}\n`;
}
