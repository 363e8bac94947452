import { didYouMean, nearest } from "../../provider/core/string.ts";
import { library, search, titleOf } from "../library/library.ts";
import type { Tool } from "./tool.ts";

/** Tools that search and read the pages of the documentation. */

/** Maximum length of a part of a page, in characters. */
const longest = 16_000;

export const pageTools: readonly Tool[] = [
  {
    name: "search_pages",
    title: "Search the documentation",
    about: "Searches the pages of the documentation: definitions, guides, errors and review rules.",
    parameters: {
      query: { type: "text", isRequired: true, about: "Words to search for." },
      limit: { type: "count", most: 20, about: "Maximum number of pages. Default: 8." },
    },
    isOpen: false,
    async run({ query, limit = 8 }) {
      const found = search(await library(), String(query), Number(limit));
      return { data: { pages: found.map((match) => ({ ...match })) } };
    },
  },
  {
    name: "read_page",
    title: "Read a page of the documentation",
    about: "Reads a page of the documentation, a part of 16,000 characters at a time.",
    parameters: {
      page: { type: "text", isRequired: true, about: "Name of the page, such as resources/volume." },
      offset: {
        type: "count",
        least: 0,
        most: 1_000_000,
        about: "Position of the part, in characters. Default: the start.",
      },
    },
    isOpen: false,
    async run({ page, offset = 0 }) {
      const { pages } = await library();
      const name = String(page).replace(/\.md$/, "");
      const text = Object.hasOwn(pages, name) ? pages[name] : undefined;
      if (text === undefined)
        return {
          error: `Unknown page ${JSON.stringify(name.slice(0, 200))}${didYouMean(nearest(name.slice(0, 200), Object.keys(pages)))} (search_pages finds pages)`,
        };
      const from = Number(offset);
      const part = text.slice(from, from + longest).toWellFormed();
      const next = from + part.length;
      return {
        page: part,
        about: {
          page: name,
          title: titleOf(text),
          length: text.length,
          ...(next < text.length && { next_offset: next }),
        },
      };
    },
  },
];
