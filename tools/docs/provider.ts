import { providerAbout } from "../../provider/config/config.ts";
import { snakeCase, terraformType, underscored } from "../../provider/core/name.ts";
import type { Category } from "../../provider/definition/category.ts";
import { forcesReplacement } from "../../provider/definition/description.ts";
import { isLocal } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { functionName } from "../../provider/terraform/codec/function.ts";
import type { Definitions } from "../../provider/terraform/codec/provider-schema.ts";
import type { Schema } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { argumentLists } from "./attribute.ts";
import { byCategory } from "./category.ts";
import { requiredExample } from "./example.ts";
import { importIds, isImportable } from "./import.ts";
import { blocks, bullets, code, frontMatter, type Page, section, table } from "./markdown.ts";
import { lookupsOf } from "./resource.ts";

/** Writes the page of the provider, the index of a registry: examples, settings, and links to all other pages. */

/** Guide in the index: its page below `docs/`, and its title. */
export interface Guide {
  readonly path: string;
  readonly title: string;
}

const description =
  "Infrastructure as code for a cloud of networks, machines, volumes, object storage and AI.";

/** Returns the page of the provider. */
export const providerPage = (definitions: Definitions, schema: Schema, guides: readonly Guide[]): Page => ({
  name: "index.md",
  text: `${blocks(
    frontMatter({ title: "kcloud Provider", description }),
    "# kcloud Provider",
    `${description} Each resource is defined once and works the same in Terraform, OpenTofu, Pulumi, CDKTF and CDKTN.`,
    bullets(guides.map(({ path, title }) => `[${title}](${path})`)),
    section(
      "## Example Usage",
      ...examples.map(([title, language, ...files]) =>
        section(`### ${title}`, ...files.map((file) => code(language, requiredExample(`stack/${file}`)))),
      ),
    ),
    section(
      "## Argument Reference",
      providerAbout,
      "Pulumi spells the settings in camel case: `kcloud:baseUrl`.",
      argumentLists(schema.block?.attributes ?? []),
    ),
    section("## Resources", resourceTable(definitions)),
    ...[
      section("## Data Sources", linksByCategory("data-sources", definitions.lookups)),
      section("## Actions", linksByCategory("actions", definitions.actions)),
      section("## Ephemeral Resources", linksByCategory("ephemeral-resources", definitions.ephemerals)),
      section(
        "## Functions",
        definitions.functions
          .map((definition) => `[\`${functionName(definition)}\`](functions/${functionName(definition)}.md)`)
          .toSorted()
          .join(", "),
      ),
    ],
  )}\n`,
});

/** Programs of the whole stack: title, language of the code, files. */
const examples: readonly (readonly [title: string, language: string, ...files: string[]])[] = [
  ["Terraform and OpenTofu", "hcl", "terraform/main.tf"],
  ["Pulumi", "ts", "pulumi/index.ts"],
  ["Pulumi YAML", "yaml", "yaml/Pulumi.yaml"],
  ["CDKTF", "ts", "cdktf/main.ts"],
  ["CDKTN", "ts", "cdktn/main.ts"],
];

const link = (folder: string, name: string): string =>
  `[\`${terraformType(name)}\`](${folder}/${underscored(name)}.md)`;

/** Returns links to pages, one line per group. */
const linksByCategory = (
  folder: string,
  definitions: readonly { readonly name: string; readonly category: Category }[],
): string | undefined =>
  bullets(
    byCategory(definitions).map(
      ([title, found]) => `${title}: ${found.map(({ name }) => link(folder, name)).join(", ")}`,
    ),
  );

/** Returns the table of the resources: what changes in place, how to import, and the data sources. */
function resourceTable({ resources, lookups }: Definitions): string {
  const rows = byCategory(resources).flatMap(([, found]) =>
    found.map((resource) => [
      link("resources", resource.name),
      changes(resource),
      isImportable(resource) ? `\`${importIds(resource).id}\`` : "",
      lookupsOf(resource, lookups)
        .map((name) => link("data-sources", name))
        .join(", "),
    ]),
  );
  return table([["resource", "changes in place", "import ID", "data sources"], ...rows]);
}

/** Returns the names of the fields with at least some changes in place. */
const changes = (resource: Resource): string =>
  Object.entries(resource.fields)
    .filter(
      ([, field]) => field.kind !== "computed" && !isLocal(field) && !forcesReplacement(field, resource),
    )
    .map(([name]) => `\`${snakeCase(name)}\``)
    .toSorted()
    .join(", ");
