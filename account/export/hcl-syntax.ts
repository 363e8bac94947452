import { escaped, hidden } from "./code.ts";

/** Text of HCL, formatted as `terraform fmt` does. */

/** Line of an attribute before the alignment of the equals signs of its neighbours. */
interface Attribute {
  readonly name: string;
  /** Lines of the value, the first one without the equals sign. */
  readonly value: readonly string[];
}

/** Part of the content of a block: an attribute, or lines such as those of a nested block. */
export type Part = Attribute | { readonly lines: readonly string[] };

/** Maximum width of a list on one line, in characters. */
const widest = 100;

const isIdentifier = (text: string): boolean => /^[a-zA-Z_][\w-]*$/.test(text) && !keywords.has(text);
const keywords: ReadonlySet<string> = new Set(["for", "null", "true", "false"]);

const escapes: { readonly [character: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** Escapes the start of each template in a text of Terraform. */
export const withoutTemplates = (text: string): string => text.replace(/[$%](?=\{)/g, "$&$&");

/** Returns a text as a string of HCL on one line. */
export const hclString = (text: string): string =>
  `"${withoutTemplates(text.toWellFormed())
    .replace(/["\\\n\r\t]/g, (character) => escapes[character] ?? "")
    .replace(hidden, escaped)}"`;

/** Returns a key of a map: as it is, if HCL reads it as an identifier. */
export const hclKey = (key: string): string => (isIdentifier(key) ? key : hclString(key));

/**
 * Returns the lines of a text: of a heredoc for a text of several lines that ends with a line break, else of a string. The
 * content of a heredoc is not indented, so that it is the text unchanged.
 */
export function hclText(text: string): string[] {
  const lines = text.slice(0, -1).split("\n");
  const isHeredoc = text.endsWith("\n") && lines.length > 1 && text.replace(/[\n\t]/g, "").search(hidden) < 0;
  if (!isHeredoc || lines.some((line) => line.trim() === "EOT")) return [hclString(text)];
  return ["<<EOT", ...lines.map((line) => withoutTemplates(line)), "EOT"];
}

/** Indents lines by one level, except those of a heredoc. */
export function indented(lines: readonly string[]): string[] {
  let isInside = false;
  return lines.map((line) => {
    const text = isInside || line === "" ? line : `  ${line}`;
    if (isInside && line === "EOT") isInside = false;
    else if (!isInside && line.endsWith("<<EOT")) isInside = true;
    return text;
  });
}

/** Returns the lines of a list: one line if it is short, otherwise one for each item. */
export function hclList(items: readonly (readonly string[])[]): string[] {
  const line = `[${items.map((item) => item.join("")).join(", ")}]`;
  if (items.every(({ length }) => length === 1) && line.length <= widest) return [line];
  return ["[", ...indented(items.flatMap((item) => [...item.slice(0, -1), `${item.at(-1)},`])), "]"];
}

/** Returns the lines of an object. */
export const hclObject = (attributes: readonly Attribute[]): string[] =>
  attributes.length === 0 ? ["{}"] : ["{", ...indented(bodyOf(attributes)), "}"];

/** Returns the lines of a block. */
export const hclBlock = (head: string, parts: readonly Part[]): string[] =>
  parts.length === 0 ? [`${head} {`, "}"] : [`${head} {`, ...indented(bodyOf(parts)), "}"];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns the width of a text as `terraform fmt` counts it: in grapheme clusters, of which the consonants of an Indic conjunct are one
 * each, as before Unicode 15.1.
 */
function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const conjunct = /(?<=[\p{M}\u200d])\p{L}/gu;
  return [...graphemes.segment(text)].reduce(
    (columns, { segment }) => columns + 1 + (segment.match(conjunct)?.length ?? 0),
    0,
  );
}

/**
 * Returns the lines of the content of a block or an object: neighbouring attributes of one line are aligned, and a part of several
 * lines has an empty line before and after it.
 */
export function bodyOf(parts: readonly Part[]): string[] {
  const groups: string[][] = [];
  let aligned: Attribute[] = [];
  const close = () => {
    const width = aligned.reduce((widest, { name }) => Math.max(widest, columnsOf(name)), 0);
    if (aligned.length > 0)
      groups.push(
        aligned.map(({ name, value }) => `${name}${" ".repeat(width - columnsOf(name))} = ${value[0]}`),
      );
    aligned = [];
  };
  for (const part of parts) {
    if ("name" in part && part.value.length === 1) aligned.push(part);
    else {
      close();
      groups.push(
        "lines" in part ? [...part.lines] : [`${part.name} = ${part.value[0]}`, ...part.value.slice(1)],
      );
    }
  }
  close();
  return groups.flatMap((group, index) => (index === 0 ? group : ["", ...group]));
}
