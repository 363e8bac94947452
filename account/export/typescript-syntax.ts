import { hyphenated } from "../../provider/core/name.ts";
import { type Code, type CodeEntry, jsonString, lineWidth, quoted } from "./code.ts";
import { bracketed, type Layout, type Position, partOf, startOfLine } from "./layout.ts";
import type { Language } from "./module.ts";

/** Text of TypeScript, formatted as Biome and Prettier do. */

const layout: Layout = { indent: 2, width: lineWidth, padding: " " };

/** Returns a value as an expression. */
export const typescriptLiteral = (value: string | number | boolean): string =>
  typeof value === "string" ? quoted(value) : String(value);

/** Returns the key of a property: as it is, if it is an identifier. The key `__proto__` would set the prototype. */
export function propertyName(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_]\w*$/.test(key) ? key : quoted(key);
}

/** Maximum width of a key after which a text that is too wide does not begin a new line, in characters. */
const shortKey = 4;

/** Returns a value: on one line if it fits there, otherwise with a line for each part. */
export function typescriptText(code: Code, position: Position): string {
  const inner = partOf(position, layout);
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
        layout,
      );
    case "object":
      return bracketed(
        "{}",
        code.entries.map((entry) => propertyText(entry, inner)),
        position,
        layout,
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

/** Modules of TypeScript. Those of packages are imported first. */
export const typescript: Language = {
  commentSign: "//",
  file: (name) => `${hyphenated(name)}.ts`,
  module: (file) => `./${file}`,
  importLines: (imports) =>
    [...imports]
      .toSorted(([a], [b]) => Number(isLocal(a)) - Number(isLocal(b)) || (a < b ? -1 : 1))
      .map(([module, names]) => importText([...names], module)),
};

const isLocal = (module: string): boolean => module.startsWith("./");
