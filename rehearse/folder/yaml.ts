/**
 * Reader of the YAML that Pulumi writes and documents: mappings in blocks, down to the level that a rehearsal needs, and JSON. The
 * text of a value is kept as it is. Throws `UnreadableYamlError` for everything else, so that no entry is overlooked.
 */

export class UnreadableYamlError extends Error {}

export interface Entry {
  readonly key: string;
  /** Text after the colon, with the lines that belong to it. */
  readonly text: string;
  readonly line: number;
  /** Number of spaces before the key. */
  readonly indent: number;
}

const key =
  /^(?:"(?<double>[^"\\]*)"|'(?<single>[^']*)'|(?<plain>[\p{L}_$][^\s'"#:]*(?::[^\s'"#:]+)*))\s*:(?=\s|$)/u;

/** Line ends of YAML other than that of Unix, which would hide lines. A `\r\n` is replaced before. */
const otherLineEnd = /[\r\u0085\u2028\u2029]/;

/** Returns the entries of a mapping; none for an empty text. `first` is the number of its first line. */
export function entriesIn(source: string, first = 1): Entry[] {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (otherLineEnd.test(text)) throw unreadable(first, "has a line end that only YAML knows");
  const content = withoutComment(text);
  if (content.startsWith("{")) return jsonEntriesIn(content, first);
  const lines = text.split("\n");
  if (first === 1 && /^---\s*$/.test(lines[0] ?? "")) lines[0] = "";
  const isEmpty = (line: string) => /^\s*(#|$)/.test(line);
  const indent = indentOf(lines.find((line) => !isEmpty(line)) ?? "");
  const entries: (Omit<Entry, "text"> & { text: string })[] = [];
  for (const [index, line] of lines.entries()) {
    const current = entries.at(-1);
    const depth = indentOf(line);
    const isContinued =
      isEmpty(line) || depth > indent || (depth === indent && /^-(\s|$)/.test(line.slice(indent)));
    if (isContinued) {
      if (current !== undefined) current.text += `\n${line}`;
      else if (!isEmpty(line)) throw unreadable(first + index, "is no mapping");
      continue;
    }
    const found = depth === indent ? key.exec(line.slice(indent)) : null;
    if (found === null)
      throw unreadable(first + index, "is no key and value, such as `name: value`, in a block");
    const { double, single, plain } = found.groups ?? {};
    const name = double ?? single ?? plain ?? "";
    if (entries.some((entry) => entry.key === name)) throw unreadable(first + index, `repeats ${name}`);
    entries.push({ key: name, text: line.slice(indent + found[0].length), line: first + index, indent });
  }
  return entries;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Removes empty lines and comments before and after the content. */
const withoutComment = (text: string): string =>
  text
    .replace(/^(\s*(#.*)?(\n|$))+/, "")
    .replace(/(\n\s*(#.*)?)+$/, "")
    .trim();

function jsonEntriesIn(text: string, line: number): Entry[] {
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    return entries.map(([key, value]) => ({ key, text: ` ${JSON.stringify(value)}`, line, indent: 0 }));
  } catch {
    throw unreadable(line, "is a mapping in braces that is no JSON: write it as lines, each with a key");
  }
}

/** Returns the text of a scalar. */
export function scalarIn({ key, text, line }: Entry): string {
  const content = withoutComment(text.replace(/(^|\s)#.*$/gm, ""));
  const [, double, single] = /^"([^"\\\n]*)"$|^'([^'\n]*)'$/.exec(content) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single ?? "";
  if (content === "" || /\n|^[[\]{},&*!|>@`"'%#]|^[-?:](\s|$)/.test(content))
    throw unreadable(line, `has a value of ${key} that is no text in one line`);
  return content;
}

/** Returns the text of entries, the value of some of which is replaced by JSON. */
export const textOf = (
  entries: readonly Entry[],
  replacementOf: (key: string) => unknown = () => undefined,
): string =>
  entries
    .map(({ key, text, indent }) => {
      const replacement = replacementOf(key);
      const value = replacement === undefined ? text : ` ${JSON.stringify(replacement)}`;
      return `${" ".repeat(indent)}${JSON.stringify(key)}:${value}\n`;
    })
    .join("");

/** Returns the text of a mapping as the value of a key. */
export const nestedTextOf = (entries: readonly Entry[], replacementOf?: (key: string) => unknown): string =>
  `\n${textOf(
    entries.map((entry) => ({ ...entry, indent: Math.max(1, entry.indent) })),
    replacementOf,
  )}`;

/** Returns true if the value is a mapping, or nothing. */
export const isMapping = ({ text }: Entry): boolean => {
  const content = withoutComment(text);
  return content === "" || content.startsWith("{") || /^\s*(#.*)?\n/.test(text);
};

const unreadable = (line: number, problem: string): UnreadableYamlError =>
  new UnreadableYamlError(`line ${line} ${problem}`);
