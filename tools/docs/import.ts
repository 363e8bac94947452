import { pulumiToken, snakeCase, terraformType, underscored } from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { importableFields, importForm } from "../../provider/definition/import-id.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { opentofu, terraform } from "../engines/recipe.ts";
import { blocks, code } from "./markdown.ts";

/** Writes the section on all ways to import an object. */

/** Returns the placeholder of a field in an import id: `VPC_ID`, `NAME`. */
const placeholder = (name: string): string => snakeCase(name).toUpperCase();

/** Returns the placeholder of the object's own id. */
const ownPlaceholder = ({ name, idField }: Resource): string =>
  idField === undefined ? `${underscored(name).toUpperCase()}_ID` : placeholder(idField);

/** Returns import ids with placeholders by their form: short or full, with a name, and with a region. */
export function importIds(resource: Resource): { readonly [form: string]: string } {
  const { parents = [], regional } = resource;
  const idPart = ownPlaceholder(resource);
  const join = (...parts: readonly string[]) => [...parents.map(placeholder), ...parts].join(",");
  const [only] = parents;
  const isPlace = parents.length === 1 && importableFields(resource).includes(only ?? "");
  const id = isPlace ? placeholder(only ?? "") : join(idPart);
  const others = importableFields(resource).filter((name) => !parents.includes(name));
  return {
    id,
    ...Object.fromEntries(others.map((name) => [name, join(placeholder(name))])),
    ...(regional === false ? {} : { region: `REGION,${join(idPart)}` }),
  };
}

/** Returns the form of the import id as sentences. */
function formOf(resource: Resource): string {
  const [forms = "", names] = inWordsOf("terraform", importForm(resource)).split(", where ");
  const [, fields] = /^(.*) can replace the id$/.exec(names ?? "") ?? [];
  const replacing = fields
    ?.split(" or ")
    .map((field) => `\`${field.replace(/^its /, "")}\``)
    .join(" or ");
  const form = forms.split(" or ").map((each) => `\`${each}\``);
  return `The import ID is ${form.join(" or ")}${replacing === undefined ? "." : `; ${replacing} can replace \`id\`.`}`;
}

/**
 * Returns true if an object can be imported: false if it exists only in the state, or if no request reads it and the API
 * returns none of its fields.
 */
export const isImportable = ({ stateOnly, visibility, fields }: Resource): boolean =>
  stateOnly !== true &&
  (visibility?.unreadable === undefined || Object.values(fields).some(({ kind }) => kind === "computed"));

/** Returns the section. `name` is the name of the resource in the examples. */
export function importSection(resource: Resource, name: string): string {
  const heading = "## Import";
  if (resource.stateOnly)
    return blocks(heading, "The resource exists in the state only, so there is nothing to import.");
  if (!isImportable(resource))
    return blocks(heading, "The API has no request that reads the object, so it cannot be imported.");
  const type = terraformType(resource.name);
  const { id = "", region, ...others } = importIds(resource);
  const commands = [
    ...new Set([id, ...Object.values(others)].map((each) => `terraform import ${type}.${name} '${each}'`)),
    ...(region === undefined ? [] : [`terraform import ${type}.${name} '${region}' # in another region`]),
  ];
  const identity = [
    ...(resource.parents ?? []).map((parent) => `${snakeCase(parent)} = "${placeholder(parent)}"`),
    `id = "${ownPlaceholder(resource)}"`,
  ];
  const notReadable =
    resource.visibility?.unreadable === undefined
      ? undefined
      : "The API documents no request that reads the object: if the API does not answer one either, an import fails.";
  return blocks(
    heading,
    notReadable,
    `${formOf(resource)} A comma in a part is written as \`%2C\`. \`tofu import\` takes the same arguments.`,
    code("sh", commands.join("\n")),
    "With an `import` block (Terraform 1.5, OpenTofu 1.6 and later):",
    code("hcl", `import {\n  to = ${type}.${name}\n  id = "${id}"\n}`),
    `With an identity (tested with Terraform ${terraform.version} and OpenTofu ${opentofu.version})${region === undefined ? "" : ", which can also contain `region`"}:`,
    code("hcl", `import {\n  to       = ${type}.${name}\n  identity = { ${identity.join(", ")} }\n}`),
    "With Pulumi (the plugin; the dynamic classes cannot import):",
    code("sh", `pulumi import ${pulumiToken(resource.name)} ${name} '${id}'`),
  );
}
