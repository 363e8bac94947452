import { type Code, type CodeEntry, jsonString, lineWidth } from "./code.ts";

/** Text of TypeScript, formatted as Biome and Prettier do. */

/** Position of a value in its line, in characters. */
export interface Position {
  /** Indentation of the line that begins with the value or its key. */
  readonly indent: number;
  /** Width of the line before the value. */
  readonly before: number;
  /** Width of the line after the value, such as that of a comma. */
  readonly after: number;
}

export const startOfLine: Position = { indent: 0, before: 0, after: 0 };

/** Returns a text as a string: in single quotes if fewer characters are escaped then. */
export function typescriptString(text: string): string {
  const inDouble = jsonString(text);
  if (countOf('"', text) <= countOf("'", text)) return inDouble;
  const content = inDouble
    .slice(1, -1)
    .replace(/\\(.)/g, (sequence, character) => (character === '"' ? '"' : sequence));
  return `'${content.replaceAll("'", "\\'")}'`;
}

const countOf = (character: string, text: string): number => text.split(character).length - 1;

/** Returns the key of a property: as it is, if it is an identifier. The key `__proto__` would set the prototype. */
export function propertyName(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_]\w*$/.test(key) ? key : typescriptString(key);
}

/** Maximum width of a key after which a text that is too wide does not begin a new line, in characters. */
const shortKey = 4;

/** Returns a value: on one line if it fits there, otherwise with a line for each part. */
export function typescriptText(code: Code, position: Position): string {
  const { indent } = position;
  const inner: Position = { indent: indent + 2, before: indent + 2, after: 1 };
  switch (code.kind) {
    case "text":
      return code.text;
    case "call": {
      const argument = { ...position, before: position.before + code.name.length + 1 };
      return `${code.name}(${typescriptText(code.argument, { ...argument, after: position.after + 1 })})`;
    }
    case "list":
      return bracketed(
        "[]",
        code.items.map((item) => typescriptText(item, inner)),
        position,
      );
    case "object":
      return bracketed(
        "{}",
        code.entries.map((entry) => propertyText(entry, inner)),
        position,
      );
  }
}

function propertyText([key, value, comment]: CodeEntry, position: Position): string {
  const name = propertyName(key);
  const before = position.before + name.length + 2;
  const text = typescriptText(value, { ...position, before });
  const isTooWide = value.kind === "text" && before + text.length + position.after > lineWidth;
  const separator = isTooWide && name.length > shortKey ? `\n${" ".repeat(position.indent + 2)}` : " ";
  const above = comment === undefined ? "" : `// ${comment}\n${" ".repeat(position.indent)}`;
  return `${above}${name}:${separator}${text}`;
}

function bracketed(brackets: string, parts: readonly string[], position: Position): string {
  const [open = "", close = ""] = brackets;
  if (parts.length === 0) return brackets;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (position.before + line.length + position.after <= lineWidth && !line.includes("\n")) return line;
  const inner = " ".repeat(position.indent + 2);
  return [open, ...parts.map((part) => `${inner}${part},`), `${" ".repeat(position.indent)}${close}`].join(
    "\n",
  );
}

/**
 * Returns the lines of a statement that ends with a call, whose last argument is an object: the line of the other arguments ends
 * with the object, or each argument has a line if that one is too wide.
 */
export function callLines(start: string, others: readonly string[], last: Code): string[] {
  const before = `${start}(${others.map((argument) => `${argument}, `).join("")}`;
  const isEmpty = last.kind === "object" && last.entries.length === 0;
  if (before.length + (isEmpty ? "{});" : "{").length <= lineWidth)
    return `${before}${typescriptText(last, { ...startOfLine, before: before.length, after: 2 })});`.split(
      "\n",
    );
  const argument = typescriptText(last, { indent: 2, before: 2, after: 1 });
  return [`${start}(`, ...others.map((other) => `  ${other},`), ...`  ${argument},`.split("\n"), ");"];
}

/** Returns an import of names from a module, in the order of their code units. */
export function importText(names: readonly string[], module: string): string {
  const sorted = [...new Set(names)].toSorted();
  const line = `import { ${sorted.join(", ")} } from ${jsonString(module)};`;
  if (line.length <= lineWidth) return line;
  return ["import {", ...sorted.map((name) => `  ${name},`), `} from ${jsonString(module)};`].join("\n");
}
