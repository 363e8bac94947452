import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "@jest/globals";
import { snakeCase } from "../../provider/core/name.ts";
import { parseImportId } from "../../provider/definition/import-id.ts";
import { identityShape } from "../../provider/terraform/codec/schema.ts";
import { resources } from "../../resources/index.ts";
import { isImportable } from "../../tools/docs/import.ts";
import { mark } from "../../tools/docs/markdown.ts";
import { existingPages, isGenerated, pages } from "../../tools/docs.ts";
import { files, root, text } from "./repository.ts";

const existing = existingPages();

test("the pages marked as generated are exactly those that `npm run docs` writes", async () => {
  const committed = new Map(existing.filter(isGenerated).map(({ name, text }) => [name, text]));
  const written = new Map((await pages()).map(({ name, text }) => [name, text]));
  const names = [...new Set([...committed.keys(), ...written.keys()])];
  // The failure shows only the names: `git diff` after `npm run docs` shows the texts.
  expect(names.filter((name) => committed.get(name) !== written.get(name))).toEqual([]);
});

test(".gitattributes marks every generated page", () => {
  const marked = [...text(".gitattributes").matchAll(/^(\S+?)(\*\*)? linguist-generated$/gm)].map(
    ([, path = ""]) => path,
  );
  const generated = existing.filter(isGenerated).map(({ name }) => `docs/${name}`);
  expect(generated.filter((page) => !marked.some((path) => page.startsWith(path)))).toEqual([]);
});

/** Returns the words of a text in lower case; names with digits are left out. */
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/(?<![\p{L}\p{N}_])[\p{L}_]+(?![\p{L}\p{N}_])/gu) ?? [];

/** Returns the cells of the tables of a page. */
const cellsOf = (page: string): string[] =>
  [...page.matchAll(/^\|.*\|$/gm)].flatMap(([row]) => row.split(/(?<!\\)\|/).slice(1, -1));

/** Returns the cells of generated pages whose first or last word occurs in no source, and nowhere else on a page. */
function cutCells(pages: readonly string[]): string[] {
  const others = files.filter((file) => /\.(ts|txt|json|tf|md)$/.test(file) && !isDerived(file));
  const cells = pages.flatMap(cellsOf);
  const known = new Set([
    ...others.flatMap((file) => wordsOf(text(file))),
    ...pages.flatMap((page) => wordsOf(page.replaceAll(/^\|.*\|$/gm, ""))),
    ...cells.flatMap((cell) => wordsOf(cell).slice(1, -1)),
  ]);
  return cells.filter((cell) => {
    const words = wordsOf(cell);
    return [words[0], words.at(-1)].some((word) => word !== undefined && !known.has(word));
  });
}

/** Returns true for a generated page, and for the texts that quote cut words. */
const isDerived = (file: string): boolean =>
  /^(test\/repository\/|CHANGELOG\.md$)/.test(file) ||
  (file.startsWith("docs/") && text(file).includes(mark));

test("no cell of a table on a generated page begins or ends inside a word", () => {
  const generated = existing.filter(isGenerated).map(({ text }) => text);
  expect(generated.flatMap(cellsOf).length).toBeGreaterThan(3000);
  expect(cutCells(generated)).toEqual([]);
  const row = "| Plan: set it to false firs. | Nothing was changed. | Eletion_protection is on. |";
  expect(cutCells([...generated, row])).toEqual([
    " Plan: set it to false firs. ",
    " Eletion_protection is on. ",
  ]);
});

test("no page of a resource repeats the sentences about a replacement", () => {
  const repeated = existing.flatMap(({ name, text }) => {
    const sentences = [...text.matchAll(/Changing .* forces .*$/gm)].map(([sentence]) => sentence);
    return sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index).map(() => name);
  });
  expect(repeated).toEqual([]);
  expect(text("docs/resources/volume.md").match(/^Changing .* forces a new volume\..*$/gm)).toHaveLength(1);
});

/** Returns the anchors of a page: those of its headings, and explicit ones. */
function anchorsOf(page: string): string[] {
  const headings = page.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  const explicit = page.matchAll(/<a id="([^"]+)"><\/a>/g);
  return [
    ...[...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
    ...[...explicit].map(([, anchor = ""]) => anchor),
  ];
}

test("every link of a page leads to a file, and to a heading or an anchor of it", () => {
  const documents = files.filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file));
  const wrong = documents.flatMap((file) => {
    const links = text(file)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
      .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
    return [...links].flatMap(([link, path = "", anchor]) => {
      const target = path === "" ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(root, target))) return [`${file}: ${link}`];
      const isFound = anchor === undefined || anchorsOf(text(target)).includes(anchor);
      return isFound ? [] : [`${file}: ${link}`];
    });
  });
  expect(wrong).toEqual([]);
});

const importable = resources.filter(isImportable);

test("an object that the API never shows, and one that exists in the state only, cannot be imported", () => {
  const others = resources.filter((resource) => !importable.includes(resource));
  expect(others.map(({ name }) => name)).toEqual([
    "account-policy-attachment",
    "text-language",
    "text-entities",
    "text-summary",
    "text-translation",
    "text-sentiment",
  ]);
  for (const { name } of others) expect(pageOf(name)).not.toContain(" import kcloud");
});

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
