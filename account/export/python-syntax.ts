import { snakeCase } from "../../provider/core/name.ts";
import { type Code, quoted } from "./code.ts";
import { type Enumeration, enumerationOf, type InputType } from "./input-type.ts";
import { bracketed, type Layout, type Position, partOf } from "./layout.ts";
import type { Language } from "./module.ts";

/** Text of Python, formatted as Black does. */

const layout: Layout = { indent: 4, width: 88, padding: "" };

/** Name by which programs import the SDK. */
export const sdk = "kcloud";

/** Lines that import packages as a whole, by the module. */
const packageImports: ReadonlyMap<string, string> = new Map([
  ["pulumi", "import pulumi"],
  ["pulumi_kcloud", `import pulumi_kcloud as ${sdk}`],
]);

/** Keywords that are names of a schema: the generator of the SDK adds an underscore to them. */
const keywords: ReadonlySet<string> = new Set([
  ...["and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else"],
  ...["except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not"],
  ...["or", "pass", "raise", "return", "try", "while", "with", "yield"],
]);

/** Returns the name of a property in the SDK: `size_gb` for `sizeGb`. */
export function pythonName(property: string): string {
  const name = snakeCase(property);
  return keywords.has(name) ? `${name}_` : name;
}

/** Returns the name of a member of an enumeration in the SDK: `HOLDER_FIRST` for `HolderFirst`. */
export const pythonMember = (name: string): string =>
  name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&_").toUpperCase();

/** Returns a value as an expression: the member of an enumeration, if its type has one for the value. */
export function pythonLiteral(value: string | number | boolean, type: InputType | undefined): string {
  const enumeration = enumerationOf(type);
  const member = enumeration?.members.find((each) => each.value === value);
  if (enumeration !== undefined && member !== undefined) return memberText(enumeration, member.name);
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? quoted(value) : String(value);
}

const memberText = ({ name }: Enumeration, member: string): string =>
  `${sdk}.${name}.${pythonMember(member)}`;

/** Returns a value: on one line if it fits there, otherwise with a line for each part. */
export function pythonText(code: Code, position: Position): string {
  const inner = partOf(position, layout);
  switch (code.kind) {
    case "text":
      return code.text;
    case "call":
      return callText(code.name, [[undefined, valueText(code.argument)]], position);
    case "list":
      return bracketed(
        "[]",
        code.items.map((item) => pythonText(item, inner)),
        position,
        layout,
      );
    case "object":
      return bracketed(
        "{}",
        code.entries.map(([key, value]) => {
          const start = `${quoted(key)}: `;
          return `${start}${pythonText(value, { ...inner, before: inner.before + start.length })}`;
        }),
        position,
        layout,
      );
  }
}

/** Writes a value at a position. */
type Written = (position: Position) => string;

/** Argument of a call, with its name, and a comment on the line before it. */
export type Argument = readonly [name: string | undefined, value: Written, comment?: string];

/** Returns a function that writes a value. */
export const valueText =
  (code: Code): Written =>
  (position) =>
    pythonText(code, position);

/** Returns a call: on one line if it fits there, otherwise with a line for each argument. */
export function callText(name: string, args: readonly Argument[], position: Position): string {
  const start = { ...position, before: position.before + name.length };
  const inner = partOf(start, layout);
  const parts = args.map(([key, value, comment]) => {
    const before = key === undefined ? "" : `${key}=`;
    const above = comment === undefined ? "" : `# ${comment}\n${" ".repeat(inner.indent)}`;
    return `${above}${before}${value({ ...inner, before: inner.before + before.length })}`;
  });
  return `${name}${bracketed("()", parts, start, layout)}`;
}

/** Returns an import of names from a module, in the order of their code units, or of a package as a whole. */
function importText(module: string, names: readonly string[]): string {
  const whole = packageImports.get(module);
  if (whole !== undefined) return whole;
  const sorted = names.toSorted();
  const line = `from ${module} import ${sorted.join(", ")}`;
  if (line.length <= layout.width) return line;
  return [`from ${module} import (`, ...sorted.map((name) => `    ${name},`), ")"].join("\n");
}

/** Modules of Python. Packages are imported first. */
export const python: Language = {
  commentSign: "#",
  file: (name) => `${name}.py`,
  module: (file) => file.replace(/\.py$/, ""),
  importLines(imports) {
    const sorted = [...imports].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const [packages, modules] = [true, false].map((isPackage) =>
      sorted
        .filter(([module]) => packageImports.has(module) === isPackage)
        .map(([module, names]) => importText(module, [...names])),
    ) as [string[], string[]];
    return packages.length > 0 && modules.length > 0
      ? [...packages, "", ...modules]
      : [...packages, ...modules];
  },
};
