import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { actions, ephemerals, functions, lookups } from "../functions/index.ts";
import { terraformType } from "../provider/core/name.ts";
import { functionName } from "../provider/terraform/codec/function.ts";
import { describeProvider } from "../provider/terraform/codec/provider-schema.ts";
import { resources } from "../resources/index.ts";
import { actionPage, ephemeralPage, functionPage, lookupPage } from "./docs/definition.ts";
import { guidePages } from "./docs/guide.ts";
import { mark, type Page } from "./docs/markdown.ts";
import { messagePage } from "./docs/message.ts";
import { listOperations, operationPages } from "./docs/operation.ts";
import { providerPage } from "./docs/provider.ts";
import { lookupsOf, resourcePage } from "./docs/resource.ts";
import { rulePage } from "./docs/rule.ts";
import { withUnfilledTable } from "./docs/unfilled.ts";
import { operationTypes } from "./library/type.ts";

/**
 * `npm run docs`: writes the pages of `docs/` that are generated from the sources and never edited, and the types of the client, which are
 * generated from the table of operations.
 */

const docsFolder = join(import.meta.dirname, "../docs");

/** Returns all pages in `docs/`, sorted. */
export const existingPages = (): Page[] =>
  readdirSync(docsFolder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(docsFolder, name), "utf8") }));

/** Returns true if the page is one of those that this program writes. */
export const isGenerated = ({ text }: Page): boolean => text.includes(mark);

/** Returns the text of the first heading of a page. */
const titleOf = ({ name, text }: Page): string => {
  const title = /^# (.*)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${name} has no heading`);
  return title;
};

/** Returns all generated pages, sorted. */
export async function pages(): Promise<Page[]> {
  const definitions = { resources, lookups, actions, functions, ephemerals };
  const schemas = describeProvider(definitions);
  const operations = await listOperations();
  const generatedGuides = guidePages(resources);
  const guides = [...existingPages().filter((page) => !isGenerated(page)), ...generatedGuides]
    .filter(({ name }) => name.startsWith("guides/"))
    .map((page) => ({ path: page.name, title: titleOf(page) }))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1));
  const all = [
    ...(await operationPages()),
    ...generatedGuides,
    messagePage(),
    rulePage(),
    providerPage(definitions, schemas.provider ?? {}, guides),
    ...resources.map((resource) =>
      resourcePage({
        resource,
        schema: schemas.resourceSchemas?.[terraformType(resource.name)] ?? {},
        listSchema: schemas.listResourceSchemas?.[terraformType(resource.name)],
        lookups: lookupsOf(resource, lookups),
        operations,
      }),
    ),
    ...lookups.map((lookup) =>
      lookupPage(lookup, schemas.dataSourceSchemas?.[terraformType(lookup.name)] ?? {}, operations),
    ),
    ...actions.map((action) =>
      actionPage(action, schemas.actionSchemas?.[terraformType(action.name)]?.schema ?? {}, operations),
    ),
    ...ephemerals.map((ephemeral) =>
      ephemeralPage(
        ephemeral,
        schemas.ephemeralResourceSchemas?.[terraformType(ephemeral.name)] ?? {},
        operations,
      ),
    ),
    ...functions.map((definition) =>
      functionPage(definition, schemas.functions?.[functionName(definition)] ?? {}),
    ),
  ];
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

if (import.meta.main) {
  const written = await pages();
  for (const page of existingPages().filter(isGenerated)) rmSync(join(docsFolder, page.name));
  for (const { name, text } of written) {
    mkdirSync(dirname(join(docsFolder, name)), { recursive: true });
    writeFileSync(join(docsFolder, name), text);
  }
  writeFileSync(join(import.meta.dirname, "../library/operation-type.ts"), operationTypes());
  const limits = join(docsFolder, "guides/limits.md");
  writeFileSync(limits, withUnfilledTable(readFileSync(limits, "utf8"), resources, await listOperations()));
}
