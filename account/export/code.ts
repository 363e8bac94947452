/** Value of a program in a language other than HCL, whose scalars and expressions are texts of that language. */
export type Code =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Code[] }
  | { readonly kind: "object"; readonly entries: readonly CodeEntry[] }
  /** Call of a function with one argument; in YAML an object whose key is the function. */
  | { readonly kind: "call"; readonly name: string; readonly argument: Code };

/** Key, which is not quoted yet, with its value, and a comment on the line before it. */
export type CodeEntry = readonly [key: string, value: Code, comment?: string];

export const textCode = (text: string): Code => ({ kind: "text", text });

export const objectCode = (entries: readonly CodeEntry[]): Code => ({ kind: "object", entries });

/** Maximum width of a line that has a list or an object, in characters. */
export const lineWidth = 110;

/** Characters that are written by their number: a terminal or an editor would interpret them. */
export const hidden = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Returns a character as an escape sequence, which HCL, TypeScript, Python and YAML share. */
export const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** Returns a text as a string of JSON, which is a string of TypeScript, Python and YAML, too. */
export const jsonString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(hidden, escaped);

/** Returns a text as a string of TypeScript and Python: in single quotes if fewer characters are escaped then. */
export function quoted(text: string): string {
  const inDouble = jsonString(text);
  if (countOf('"', text) <= countOf("'", text)) return inDouble;
  const content = inDouble
    .slice(1, -1)
    .replace(/\\(.)/g, (sequence, character) => (character === '"' ? '"' : sequence));
  return `'${content.replaceAll("'", "\\'")}'`;
}

const countOf = (character: string, text: string): number => text.split(character).length - 1;

/** Returns a list of texts, each as a string of the language. */
export const stringList = (texts: readonly string[], spelled: (text: string) => string): Code => ({
  kind: "list",
  items: texts.map((text) => textCode(spelled(text))),
});
