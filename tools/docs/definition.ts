import {
  capital,
  fieldName,
  pascalCase,
  provider,
  pulumiCall,
  pulumiFunction,
  snakeCase,
  terraformType,
  underscored,
} from "../../provider/core/name.ts";
import { inWordsOf, type Text } from "../../provider/core/wording.ts";
import type { Category } from "../../provider/definition/category.ts";
import type { Action, Ephemeral, Lookup, PureFunction } from "../../provider/definition/function.ts";
import { schemaShape } from "../../provider/definition/shape.ts";
import { functionName } from "../../provider/terraform/codec/function.ts";
import type {
  Function_Parameter,
  FunctionMessage,
  Schema,
} from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { argumentSection, attributeSection, camelCaseNote, typeIn, typeWords } from "./attribute.ts";
import { titles } from "./category.ts";
import { errorTableOf } from "./error.ts";
import { exampleBlock, requiredExample } from "./example.ts";
import { exampleNote, exampleOf, lookupHcl, lookupProgram } from "./lookup.ts";
import { blocks, bullets, code, frontMatter, type Page, section } from "./markdown.ts";
import { minimalAction, minimalEphemeral } from "./minimal.ts";
import { actionNotes, definitionNotes } from "./note.ts";
import type { ListedOperation } from "./operation.ts";
import { goProgram } from "./program/go.ts";
import { pythonProgram } from "./program/python.ts";

/** Writes the pages of definitions without a state: data sources, actions, ephemeral resources and functions. */

/** Parts of pages of all kinds. */
interface Parts {
  readonly folder: string;
  /** Kind in the title: `Data Source`. */
  readonly kind: string;
  readonly name: string;
  readonly category: Category;
  readonly type: string;
  readonly about: Text;
}

/** Returns a page: front matter, title, description, then these sections. */
function page(
  { folder, kind, name, category, type, about }: Parts,
  ...sections: (string | undefined)[]
): Page {
  const description = inWordsOf("terraform", about);
  return {
    name: `${folder}/${underscored(name)}.md`,
    text: `${blocks(
      frontMatter({ title: `${type} ${kind} - kcloud`, subcategory: titles[category], description }),
      `# ${type} (${kind})`,
      description,
      ...sections,
    )}\n`,
  };
}

/** Returns the page of a data source. */
export function lookupPage(lookup: Lookup, schema: Schema, operations: readonly ListedOperation[]): Page {
  const { name, category, about } = lookup;
  const type = terraformType(name);
  const attributes = schema.block?.attributes ?? [];
  const call = `get${pascalCase(name)}`;
  const folder = exampleOf(name);
  const hcl = folder === undefined ? lookupHcl(name) : requiredExample(`${folder}/main.tf`);
  const [python, go] = [pythonProgram(hcl), goProgram(hcl)];
  return page(
    { folder: "data-sources", kind: "Data Source", name, category, type, about },
    `Pulumi: \`${pulumiFunction(name)}\`, functions \`${call}\` and \`${call}Output\` of \`@kcloud/iac/pulumi\` and \`@kcloud/iac/dynamic\`. CDKTF and CDKTN: class \`Data${capital(provider)}${pascalCase(name)}\`. ${camelCaseNote(attributes)}`,
    section(
      "## Example Usage",
      folder === undefined ? exampleNote(name) : undefined,
      section("### Terraform and OpenTofu", code("hcl", hcl)),
      section(
        "### Pulumi",
        code("ts", folder === undefined ? lookupProgram(name) : requiredExample(`${folder}/index.ts`)),
      ),
      python && section("### Pulumi Python", code("python", python)),
      go && section("### Pulumi Go", code("go", go)),
    ),
    argumentSection(attributes),
    attributeSection(attributes),
    definitionNotes(`data source ${name}`, operations),
    section("## Errors", errorTableOf(`looking up the ${name.replaceAll("-", " ")}`)),
  );
}

/** Returns the page of an action. */
export function actionPage(action: Action, schema: Schema, operations: readonly ListedOperation[]): Page {
  const { name, category, about, timeouts, doing } = action;
  const type = terraformType(name);
  const block = exampleBlock(`action "${type}"`) ?? minimalAction(action);
  const label = /" "(\w+)"/.exec(block)?.[1];
  return page(
    { folder: "actions", kind: "Action", name, category, type, about },
    "Terraform 1.14 and later. OpenTofu, Pulumi, CDKTF and CDKTN have no actions.",
    section(
      "## Example Usage",
      code("hcl", block),
      "It runs on request, or when a resource with an `action_trigger` changes:",
      code("sh", `terraform apply -invoke=action.${type}.${label}`),
    ),
    argumentSection(schema.block?.attributes ?? []),
    section(
      "## Timeouts",
      `The action ends with an error after ${timeouts.invoke / 60} minutes. The attribute \`timeout\` changes this time.`,
    ),
    actionNotes(action, operations),
    section("## Errors", errorTableOf(doing)),
  );
}

/** Returns the page of an ephemeral resource. */
export function ephemeralPage(
  ephemeral: Ephemeral,
  schema: Schema,
  operations: readonly ListedOperation[],
): Page {
  const { name, category, about } = ephemeral;
  const type = terraformType(name);
  const attributes = schema.block?.attributes ?? [];
  return page(
    { folder: "ephemeral-resources", kind: "Ephemeral Resource", name, category, type, about },
    `Terraform 1.11, OpenTofu 1.11 and later. CDKTN: class \`Ephemeral${capital(provider)}${pascalCase(name)}\`. Pulumi and CDKTF have no ephemeral resources.`,
    section(
      "## Example Usage",
      code("hcl", exampleBlock(`ephemeral "${type}"`) ?? minimalEphemeral(ephemeral)),
    ),
    argumentSection(attributes),
    attributeSection(attributes),
    definitionNotes(`ephemeral resource ${name}`, operations),
    section("## Errors", errorTableOf(`opening the ${name.replaceAll("-", " ")}`)),
  );
}

/** Returns the page of a function. */
export function functionPage(definition: PureFunction, schema: FunctionMessage): Page {
  const { name, category, about } = definition;
  const called = functionName(definition);
  const { parameters = [], variadicParameter } = schema;
  const all = variadicParameter === undefined ? parameters : [...parameters, variadicParameter];
  const list = all.map(({ name, type }) => `${name} ${typeWords(typeIn(type)).toLowerCase()}`).join(", ");
  const signature = `${called}(${list}${variadicParameter === undefined ? "" : "..."})`;
  const call = fieldName(name);
  return page(
    { folder: "functions", kind: "Function", name, category, type: called, about },
    `Sends no request. Terraform 1.8, OpenTofu 1.7 and later. Pulumi: \`${pulumiCall(name)}\`, functions \`${call}\` and \`${call}Output\` of \`@kcloud/iac/pulumi\`. In TypeScript also a plain function \`${call}\` of \`@kcloud/iac\`.`,
    section(
      "## Example Usage",
      section("### Terraform and OpenTofu", code("hcl", requiredExample("function/main.tf"))),
      section("### Pulumi", code("ts", requiredExample("function/index.ts"))),
    ),
    section(
      "## Signature",
      code("text", `${signature} ${typeWords(typeIn(schema.return?.type)).toLowerCase()}`),
    ),
    section("## Arguments", bullets(all.map(argumentItem))),
    section("## Result", resultList(definition)),
  );
}

/** Returns the members of a result that is an object. */
function resultList({ result }: PureFunction): string | undefined {
  const shape = schemaShape(result);
  return shape.kind === "object"
    ? bullets(
        Object.entries(shape.fields).map(
          ([name, { about }]) => `\`${snakeCase(name)}\` ${inWordsOf("terraform", about)}`,
        ),
      )
    : undefined;
}

const argumentItem = ({ name = "", type, description = "" }: Function_Parameter): string =>
  `\`${name}\` (${typeWords(typeIn(type))}) ${description}`;
