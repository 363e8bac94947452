import type { JsonObject } from "../text.ts";

/** Pages of the documentation and schemas of the definitions. */

export interface Library {
  /** Pages in Markdown by their names, as `resources/volume`. */
  readonly pages: Readonly<Record<string, string>>;
  /** JSON schemas by kind and name of the definition, as `resource/volume`. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

let loaded: Promise<Library> | undefined;

/** Returns the library, which is loaded when it is used: the start of the server needs none of it. */
export function library(): Promise<Library> {
  loaded ??= import("./constant.ts").then(async ({ constants }) => {
    const { brotliDecompressSync } = await import("node:zlib");
    const bytes = brotliDecompressSync(Buffer.from(constants().library, "base64"));
    return JSON.parse(bytes.toString("utf8")) as Library;
  });
  return loaded;
}

/** Returns the title of a page. */
export const titleOf = (page: string): string => /^# (.+)$/m.exec(page)?.[1] ?? "";

/** Returns the description in the front matter of a page, or its first paragraph. */
export const descriptionOf = (page: string): string =>
  (
    /^description: \|-\n {2}(.+)$/m.exec(page)?.[1] ??
    /^# .+\n+([^\n#`<|-][^\n]*)/m.exec(page)?.[1] ??
    ""
  ).trim();

/** Section of a page that has words of a search. */
export interface Match {
  readonly page: string;
  readonly title: string;
  readonly section: string;
  /** Position of the section in the page, in characters. */
  readonly offset: number;
  readonly excerpt: string;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];

interface Section {
  readonly heading: string;
  readonly offset: number;
  readonly text: string;
}

/** Returns the sections of a page, each from its heading to the next one. */
function sectionsOf(page: string): Section[] {
  const starts = [...page.matchAll(/^#{1,4} (.+)$/gm)].map(({ index, 1: heading = "" }) => ({
    index,
    heading,
  }));
  return [{ index: 0, heading: titleOf(page) }, ...starts].map(({ index, heading }, position, all) => ({
    heading,
    offset: index,
    text: page.slice(index, all[position + 1]?.index),
  }));
}

/** Weights of a word in the title of a page, in the heading of a section, and for each of at most three times in its text. */
const weights = { title: 3, heading: 4, text: 2 } as const;

/** Returns the sections that fit a query best, the best one first, at most one per page. A word counts more the fewer pages have it. */
export function search({ pages }: Library, query: string, most: number): Match[] {
  const all = Object.entries(pages).map(([name, page]) => ({ name, page, words: wordsOf(page) }));
  const has = (list: readonly string[], word: string) => list.some((one) => one.startsWith(word));
  const words = [...new Set(wordsOf(query))].slice(0, 20).map((word) => {
    const pagesWith = all.filter((one) => has(one.words, word)).length;
    return { word, weight: Math.log(all.length / Math.max(1, pagesWith)) + 0.01 };
  });
  const scored = all.flatMap(({ name, page }) => {
    const title = wordsOf(`${titleOf(page)} ${name}`);
    const sections = sectionsOf(page).map((section) => {
      const [heading, text] = [wordsOf(section.heading), wordsOf(section.text)];
      const parts = words.map(({ word, weight }) => {
        const count = text.filter((one) => one.startsWith(word)).length;
        const places = [has(title, word) ? weights.title : 0, has(heading, word) ? weights.heading : 0];
        return weight * places.reduce((sum, one) => sum + one, weights.text * Math.min(3, count));
      });
      return { section, score: parts.reduce((sum, one) => sum + one, 0) };
    });
    const [best] = sections.toSorted((one, other) => other.score - one.score);
    return best === undefined || best.score === 0 ? [] : [{ name, page, ...best }];
  });
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name, page, section }) => ({
      page: name,
      title: titleOf(page),
      section: section.heading,
      offset: section.offset,
      excerpt: excerptOf(
        section.text,
        words.map(({ word }) => word),
      ),
    }));
}

/** Returns the first lines of a section that have a word of the query. */
function excerptOf(text: string, words: readonly string[]): string {
  const lines = text.split("\n").slice(1);
  const first = lines.findIndex((line) => words.some((word) => line.toLowerCase().includes(word)));
  return lines
    .slice(Math.max(0, first), Math.max(0, first) + 3)
    .join("\n")
    .slice(0, 300)
    .toWellFormed();
}
