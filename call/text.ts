import { escaped, hidden } from "../account/export/code.ts";

/** Texts of the API on a terminal and in JSON: characters that a terminal would interpret are written by their number. */

/** Returns a text on one line. */
export const oneLine = (text: string): string => text.toWellFormed().replace(hidden, escaped);

/** Returns a value as JSON, in lines with an indent, or on one line. `redact` removes secrets of the settings from its texts. */
export function jsonText(value: unknown, redact: (text: string) => string, isOneLine = false): string {
  const shown = (_: string, each: unknown) => (typeof each === "string" ? redact(each) : each);
  const text = JSON.stringify(value, shown, isOneLine ? undefined : 2) ?? "null";
  return text.replace(hidden, (character) => (character === "\n" ? character : escaped(character)));
}

/** Returns the field of a value at a path such as `volume.id` or `0.name`; undefined if there is none. */
export function fieldIn(value: unknown, path: string): unknown {
  let part = value;
  for (const name of path.split(".")) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as { readonly [name: string]: unknown })[name];
  }
  return part;
}
