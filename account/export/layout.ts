/** Layout of values in brackets, as formatters of TypeScript and Python choose it. */

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

/** Layout of a language. */
export interface Layout {
  /** Indentation of one level, in characters. */
  readonly indent: number;
  /** Maximum width of a line that has a list or an object, in characters. */
  readonly width: number;
  /** Text between the brackets of an object and its content, if both are on one line. */
  readonly padding: string;
}

/** Returns the position of a part that has a line of its own. */
export const partOf = ({ indent }: Position, layout: Layout): Position => {
  const inner = indent + layout.indent;
  return { indent: inner, before: inner, after: 1 };
};

/** Returns parts in brackets: on one line if they fit there, otherwise with a line for each part. */
export function bracketed(
  brackets: "[]" | "{}" | "()",
  parts: readonly string[],
  position: Position,
  layout: Layout,
): string {
  const [open = "", close = ""] = brackets;
  if (parts.length === 0) return brackets;
  const padding = open === "{" ? layout.padding : "";
  const line = `${open}${padding}${parts.join(", ")}${padding}${close}`;
  if (position.before + line.length + position.after <= layout.width && !line.includes("\n")) return line;
  const inner = " ".repeat(partOf(position, layout).indent);
  return [open, ...parts.map((part) => `${inner}${part},`), `${" ".repeat(position.indent)}${close}`].join(
    "\n",
  );
}
