import { basename, dirname } from "node:path";
import { expect, test } from "@jest/globals";
import { existingPages } from "../../tools/docs.ts";

/** Tests the rules of Terraform's registry for the pages that it reads at the tag of a version. */

/** Folders of the registry below `docs/`, each with the word in the title of a page. */
const folders: Readonly<Record<string, string | undefined>> = {
  resources: "Resource",
  "data-sources": "Data Source",
  functions: "Function",
  "ephemeral-resources": "Ephemeral Resource",
  actions: "Action",
  guides: undefined,
};

const pages = existingPages().filter(({ name }) => name === "index.md" || dirname(name) !== ".");
const inFolder = pages.filter(({ name }) => name !== "index.md");

/** Returns the settings of the front matter of a page. */
function frontMatterOf(text: string): Map<string, string> {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const settings = head.matchAll(/^(\w+): (?:\|-\n {2}(.*)|"(.*)")$/gm);
  return new Map([...settings].map(([, key = "", block, quoted]) => [key, block ?? quoted ?? ""]));
}

test("the registry finds the page of the provider, and pages in its folders only", () => {
  expect(pages.map(({ name }) => name)).toContain("index.md");
  expect([...new Set(inFolder.map(({ name }) => dirname(name)))].toSorted()).toEqual(
    Object.keys(folders).toSorted(),
  );
  for (const { name } of inFolder) expect(basename(name)).toMatch(/^[a-z0-9]+(?:[_-][a-z0-9]+)*\.md$/);
});

test("no page has 500 KB, which the registry would cut", () => {
  for (const { name, text } of pages) expect([name, Buffer.byteLength(text) < 500_000]).toEqual([name, true]);
});

test("the front matter of every page has a title, a description and, of definitions, a group, and nothing else", () => {
  for (const { name, text } of pages) {
    const settings = frontMatterOf(text);
    const isGrouped = name !== "index.md" && !name.startsWith("guides/");
    const keys = isGrouped ? ["page_title", "subcategory", "description"] : ["page_title", "description"];
    expect([name, [...settings.keys()]]).toEqual([name, keys]);
    for (const value of settings.values()) expect([name, value]).toEqual([name, expect.stringMatching(/\S/)]);
    const lines = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1]?.split("\n") ?? [];
    expect([name, lines.length]).toEqual([name, keys.length + 1]);
  }
});

test("the title of a page names the definition and its kind", () => {
  for (const { name, text } of inFolder) {
    const kind = folders[dirname(name)];
    if (kind === undefined) continue;
    const prefix = kind === "Function" ? "" : "kcloud_";
    const title = `${prefix}${basename(name, ".md")} ${kind} - kcloud`;
    expect([name, frontMatterOf(text).get("page_title")]).toEqual([name, title]);
  }
});

test("every page has one title in its text, and outside of code no shortcode of another registry", () => {
  for (const { name, text } of pages) {
    const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
    expect([name, prose.match(/^# /gm)?.length, prose.match(/\{\{/g)]).toEqual([name, 1, null]);
  }
});
