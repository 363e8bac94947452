/** Markdown of generated pages. */

/** Generated page of `docs/`. */
export interface Page {
  /** Path below `docs/`. */
  readonly name: string;
  readonly text: string;
}

/** Comment by which a generated page is recognized. */
export const mark = "<!-- Written by `node tools/docs.ts` -->";

/** Front matter of a page of the registry. */
interface FrontMatter {
  readonly title: string;
  /** Group of the page in the sidebar. */
  readonly subcategory?: string;
  /** One line. */
  readonly description: string;
}

/** Returns the start of a page of the registry: front matter and mark. */
export const frontMatter = ({ title, subcategory, description }: FrontMatter): string =>
  [
    "---",
    `page_title: ${JSON.stringify(title)}`,
    ...(subcategory === undefined ? [] : [`subcategory: ${JSON.stringify(subcategory)}`]),
    "description: |-",
    `  ${description}`,
    "---",
    "",
    mark,
  ].join("\n");

/** Joins the parts of a page or of a section, each of which is a block; leaves out undefined ones. */
export const blocks = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

/** Returns a section, or undefined if it has no content. */
export function section(heading: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const content = blocks(...parts);
  return content === "" ? undefined : `${heading}\n\n${content}`;
}

/** Returns a block of code. */
export const code = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Returns a list, or undefined if it has no items. */
export const bullets = (items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : items.map((item) => `- ${item}`).join("\n");

/** Returns a table. */
export function table(rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** Returns a table in the layout of the formatter of this repository. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.keys() ?? [];
  const widths = [...columns].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join("\n");
}
