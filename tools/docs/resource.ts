import { formatDuration } from "../../provider/core/duration.ts";
import {
  capital,
  className,
  plural,
  pulumiToken,
  term,
  terraformType,
  underscored,
} from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Lookup } from "../../provider/definition/function.ts";
import { type Resource, scopeFields } from "../../provider/definition/resource.ts";
import { listable } from "../../provider/terraform/codec/provider-schema.ts";
import type { Schema } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { argumentSection, attributeSection, camelCaseNote } from "./attribute.ts";
import { titles } from "./category.ts";
import { errorTable } from "./error.ts";
import { exampleName, requiredExample, scenariosOf } from "./example.ts";
import { importSection } from "./import.ts";
import { blocks, code, frontMatter, type Page, section, table } from "./markdown.ts";
import { minimalList } from "./minimal.ts";
import { resourceNotes } from "./note.ts";
import type { ListedOperation } from "./operation.ts";
import { goProgram } from "./program/go.ts";
import { pythonProgram } from "./program/python.ts";
import { cdktfProgram, yamlProgram } from "./program.ts";

/** Writes the page of a managed resource, which also covers its list resource. */

const operations = ["create", "read", "update", "delete"] as const;

/** Inputs of the pages of resources. */
export interface ResourceSource {
  readonly resource: Resource;
  readonly schema: Schema;
  /** Schema of its list resource. */
  readonly listSchema: Schema | undefined;
  /** Names of its data sources. */
  readonly lookups: readonly string[];
  readonly operations: readonly ListedOperation[];
}

/** Returns the names of the data sources of a resource: of one object, and of all. */
export const lookupsOf = ({ name }: Resource, lookups: readonly Lookup[]): string[] =>
  [name, plural(name)].filter((each) => lookups.some((lookup) => lookup.name === each));

/** Returns the page of a resource. */
export function resourcePage(source: ResourceSource): Page {
  const { resource, schema } = source;
  const { name } = resource;
  const type = terraformType(name);
  const about = inWordsOf("terraform", resource.about);
  const hcl = requiredExample(`${name}/main.tf`);
  const label = exampleName(hcl, `resource "${type}"`) ?? "example";
  const attributes = schema.block?.attributes ?? [];
  const yaml = yamlProgram(name, hcl);
  const python = pythonProgram(hcl);
  const go = goProgram(hcl);
  const cdktf = cdktfProgram(name, hcl);
  return {
    name: `resources/${type.slice("kcloud_".length)}.md`,
    text: `${blocks(
      frontMatter({
        title: `${type} Resource - kcloud`,
        subcategory: titles[resource.category],
        description: about,
      }),
      `# ${type} (Resource)`,
      about,
      `${names(resource)} ${camelCaseNote(attributes)}`,
      `[SDKs](../guides/install.md#python-and-go): \`pulumi_kcloud.${className(name)}\` in Python, with the names of attributes below; \`kcloud.New${className(name)}\` in Go.`,
      section(
        "## Example Usage",
        section("### Terraform and OpenTofu", code("hcl", hcl)),
        section("### Pulumi", code("ts", requiredExample(`${name}/index.ts`))),
        python && section("### Pulumi Python", code("python", python)),
        go && section("### Pulumi Go", code("go", go)),
        yaml && section("### Pulumi YAML", code("yaml", yaml)),
        cdktf && section("### CDKTF", "With CDKTN: `cdktn` in place of `cdktf`.", code("ts", cdktf)),
        ...scenariosOf(name).map(({ path, title, hcl, files }) =>
          section(
            `### ${title}`,
            code("hcl", hcl),
            ...files.flatMap(([file, text]) => [`The file \`${file}\`:`, code("sh", text)]),
            "With Pulumi:",
            code("ts", requiredExample(`${path}/index.ts`)),
          ),
        ),
      ),
      argumentSection(attributes),
      attributeSection(attributes),
      timeoutSection(resource),
      importSection(resource, label),
      listSection(source),
      lookupSection(source),
      resourceNotes(resource, source.operations),
      section(
        "## Errors",
        errorTable(resource),
        "[Errors](../guides/errors.md) shows those that are common to all resources.",
      ),
    )}\n`,
  };
}

const names = ({ name }: Resource): string =>
  [
    `Pulumi: \`${pulumiToken(name)}\`, class \`${className(name)}\` of \`@kcloud/iac/pulumi\` and \`@kcloud/iac/dynamic\`.`,
    `CDKTF and CDKTN: class \`${className(name)}\` of \`@kcloud/iac/cdktf\` and \`@kcloud/iac/cdktn\`.`,
  ].join(" ");

function timeoutSection({ timeouts }: Resource): string {
  const rows = operations.map((name) => [`\`${name}\``, `\`${formatDuration(timeouts[name])}\``]);
  return blocks(
    "## Timeouts",
    table([["operation", "default"], ...rows]),
    `Terraform, OpenTofu, CDKTF and CDKTN: block \`timeouts\`, such as \`timeouts { create = "30m" }\`. Pulumi: resource option \`customTimeouts\`, such as \`{ customTimeouts: { create: "30m" } }\`; a read and the dynamic classes use the defaults.`,
  );
}

function listSection({ resource, listSchema }: ResourceSource): string | undefined {
  const { name } = resource;
  if (listable([resource]).length === 0) return undefined;
  return section(
    "## Query",
    `\`terraform query\` (Terraform 1.14 and later) lists existing ${term(plural(name))} by a \`list\` block in a file \`*.tfquery.hcl\`, and writes their configuration: see [Import and query](../guides/import-and-query.md).`,
    code("hcl", minimalList(name, scopeFields(resource))),
    (listSchema?.block?.attributes ?? []).length === 0
      ? undefined
      : `Arguments of \`config\`: ${(listSchema?.block?.attributes ?? [])
          .map(({ name = "", required }) => `\`${name}\` (${required ? "required" : "optional"})`)
          .toSorted()
          .join(", ")}.`,
  );
}

function lookupSection({ lookups }: ResourceSource): string | undefined {
  const links = lookups.map(
    (name) => `[\`${terraformType(name)}\`](../data-sources/${underscored(name)}.md)`,
  );
  return links.length === 0 ? undefined : blocks("## Data Sources", `${capital(links.join(" and "))}.`);
}
