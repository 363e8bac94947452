import { type Code, type CodeEntry, jsonString, lineWidth } from "./code.ts";

/** Text of Pulumi YAML. */

/** Escapes each dollar sign that could begin an expression or an escape. */
const withoutExpressions = (text: string): string =>
  text.replace(/\$\$+|\$(?=\{)/g, (dollars) => dollars + dollars);

/** Returns true for a text that YAML reads as the same text without quotes. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z][\w-]*$/.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);

/** Returns a literal or a key, without expressions. */
export function yamlScalar(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  return isPlain(value) ? value : jsonString(withoutExpressions(value));
}

/** Returns the lines of a key with its value: a list on one line if it fits there, an object with a line for each entry. */
export const yamlEntry = ([key, value, comment]: CodeEntry, indent: number): string[] => [
  ...(comment === undefined ? [] : [`${" ".repeat(indent)}# ${comment}`]),
  ...linesOf(yamlScalar(key), value, indent),
];

function linesOf(key: string, value: Code, indent: number): string[] {
  const start = `${" ".repeat(indent)}${key}:`;
  if (value.kind === "call") return [start, ...linesOf(value.name, value.argument, indent + 2)];
  if (value.kind === "object" && value.entries.length > 0)
    return [start, ...value.entries.flatMap((entry) => yamlEntry(entry, indent + 2))];
  const line = `${start} ${flowOf(value)}`;
  if (value.kind !== "list" || line.length <= lineWidth) return [line];
  return [start, ...value.items.map((item) => `${" ".repeat(indent + 2)}- ${flowOf(item)}`)];
}

/** Returns a value in flow style, on one line. */
function flowOf(value: Code): string {
  switch (value.kind) {
    case "text":
      return value.text;
    case "list":
      return `[${value.items.map(flowOf).join(", ")}]`;
    case "object":
      return value.entries.length === 0 ? "{}" : `{ ${value.entries.map(flowEntry).join(", ")} }`;
    case "call":
      return `{ ${value.name}: ${flowOf(value.argument)} }`;
  }
}

const flowEntry = ([key, value]: CodeEntry): string => `${yamlScalar(key)}: ${flowOf(value)}`;
