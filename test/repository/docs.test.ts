import { expect, test } from "@jest/globals";
import { help } from "../../emulator/cli/option.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { parseImportId } from "../../provider/definition/import-id.ts";
import { identityShape } from "../../provider/terraform/codec/codec.ts";
import { resources } from "../../resources/index.ts";
import { existingPages, isGenerated, pages } from "../../tools/docs.ts";
import { text } from "./repository.ts";

const existing = existingPages();

test("the pages marked as generated are exactly those that `npm run docs` writes", async () => {
  expect(existing.filter(isGenerated)).toEqual(await pages(help));
});

const importable = resources.filter(({ stateOnly }) => stateOnly !== true);

/** Returns the page of a resource. */
const pageOf = (name: string): string => text(`docs/resources/${name.replaceAll("-", "_")}.md`);

test.each(importable.map((resource) => [resource.name, resource] as const))(
  "the page of %s imports it by ids of a form that an import accepts, and by its identity",
  (name, resource) => {
    const page = pageOf(name);
    const commands = page.matchAll(/^(?:terraform import [\w.]+|pulumi import \S+ \w+) '(.*)'/gm);
    const blocks = page.matchAll(/^ {2}id = "(.*)"/gm);
    const ids = [...commands, ...blocks].map(([, id = ""]) => id);
    expect(ids.length).toBeGreaterThan(2);
    for (const id of ids) expect(() => parseImportId(resource, id)).not.toThrow();
    const [, identity = ""] = /^ {2}identity = \{ (.*) \}$/m.exec(page) ?? [];
    const named = [...identity.matchAll(/(\w+) = /g)].map(([, attribute]) => attribute);
    const shape = Object.keys(identityShape(resource).fields).map(snakeCase);
    expect(named).toEqual(shape.filter((attribute) => attribute !== "region"));
  },
);
