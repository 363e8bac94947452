/** Blocks and texts of a configuration in HCL or JSON. Values are not evaluated. */

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly line: number;
}

/** Text in quotes that is no label. */
export interface Text {
  readonly text: string;
  readonly line: number;
  /** The innermost block around it. */
  readonly block: Block | undefined;
}

/** Blocks at any depth, and their texts. */
export interface Configuration {
  readonly blocks: readonly Block[];
  readonly texts: readonly Text[];
}

/** Parts of HCL: comment, heredoc, text, name or another character. */
const part =
  /(?<comment>#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|<<[-~]?(?<mark>[\p{L}_][\p{L}\p{N}_-]*)\r?\n|(?<quote>")|(?<name>[\p{L}_][\p{L}\p{N}_-]*)|(?<other>\S)/gu;

/** Returns the end of a text in quotes, which may contain texts inside of `${ }`. */
function endOfText(source: string, start: number): number {
  let at = start;
  while (at < source.length) {
    const character = source[at];
    if (character === "\\") at += 2;
    else if (character === '"') return at;
    else if (
      (character === "$" || character === "%") &&
      source[at + 1] === "{" &&
      source[at - 1] !== character
    )
      at = endOfTemplate(source, at + 2);
    else at += 1;
  }
  return at;
}

function endOfTemplate(source: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    const character = source[at];
    if (character === '"') at = endOfText(source, at + 1);
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    at += 1;
  }
  return at;
}

/** Reads a file in HCL. A syntax error, which the engine reports, makes the rest one block. */
export function readHcl(source: string): Configuration {
  const blocks: Block[] = [];
  const texts: Text[] = [];
  /** Blocks around the present place; the braces of a value are no block. */
  const around: (Block | undefined)[] = [];
  const within = (): Block | undefined => around.findLast((block) => block !== undefined);
  let line = 1;
  let counted = 0;
  const lineAt = (index: number): number => {
    line += source.slice(counted, index).split("\n").length - 1;
    counted = index;
    return line;
  };
  /** Words since the last one that can be no part of a block's header, the first is its type. */
  let header: { readonly text: string; readonly isText: boolean; readonly line: number }[] = [];
  const flush = () => {
    for (const { text, isText, line } of header) if (isText) texts.push({ text, line, block: within() });
    header = [];
  };
  part.lastIndex = 0;
  for (let found = part.exec(source); found !== null; found = part.exec(source)) {
    const { comment, mark, quote, name, other } = found.groups ?? {};
    if (comment !== undefined) continue;
    const at = lineAt(found.index);
    if (mark !== undefined) {
      const end = new RegExp(`^[ \\t]*${mark}[ \\t]*\\r?$`, "mu");
      const rest = source.slice(part.lastIndex);
      const last = end.exec(rest);
      texts.push({ text: rest.slice(0, last?.index), line: at, block: within() });
      part.lastIndex += last === null ? rest.length : last.index + last[0].length;
    } else if (quote !== undefined) {
      const end = endOfText(source, found.index + 1);
      header.push({ text: source.slice(found.index + 1, end), isText: true, line: at });
      part.lastIndex = end + 1;
    } else if (name !== undefined) {
      if (header.length > 0 && header[0]?.line !== at) flush();
      header.push({ text: name, isText: false, line: at });
    } else if (other === "{") {
      const [first, ...labels] = header;
      const isBlock = first !== undefined && !first.isText;
      if (!isBlock) flush();
      const block = isBlock
        ? { type: first.text, labels: labels.map(({ text }) => text), line: first.line }
        : undefined;
      if (block !== undefined) blocks.push(block);
      around.push(block);
      header = [];
    } else {
      flush();
      if (other === "}") around.pop();
    }
  }
  flush();
  return { blocks, texts };
}

/** Reads a file in the JSON syntax: every name of an object counts as a type, and those inside of it as its labels. */
export function readJson(source: string): Configuration {
  const blocks: Block[] = [];
  const texts: Text[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    const [type, ...labels] = path;
    const block = type === undefined ? undefined : { type, labels, line: 1 };
    if (typeof value === "string") texts.push({ text: value, line: 1, block });
    else if (Array.isArray(value)) for (const item of value) visit(item, path);
    else if (isObject(value))
      for (const [type, inner] of Object.entries(value)) {
        for (const body of [inner].flat().filter(isObject))
          for (const [label, named] of Object.entries(body))
            blocks.push({ type, labels: [label, ...(isObject(named) ? Object.keys(named) : [])], line: 1 });
        visit(inner, [...path, type]);
      }
  };
  visit(JSON.parse(source), []);
  return { blocks, texts };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
