import { padded, widthOf } from "../review/render/column.ts";
import { oneLine } from "./text.ts";

/** Rows of a listing as a table for a terminal. */

/** Fields that are shown first, if the rows have them. */
const first = ["name", "status", "id", "krn"];

/** Number of rows that determine the columns. */
const sample = 100;

type Row = { readonly [name: string]: unknown };

const isScalar = (value: unknown): boolean =>
  value !== null && ["string", "number", "boolean"].includes(typeof value);

/**
 * Returns the rows as lines of at most `columns` columns, with the fields that fit, of which at least one is shown. Returns undefined for rows
 * without such fields.
 */
export function tableText(
  rows: readonly unknown[],
  columns: number,
  redact: (text: string) => string,
): string | undefined {
  const objects = rows.filter((row): row is Row => typeof row === "object" && row !== null);
  if (objects.length < rows.length || rows.length === 0) return undefined;
  const names = [...new Set(objects.slice(0, sample).flatMap((row) => Object.keys(row)))].filter((name) =>
    objects.some((row) => isScalar(row[name])),
  );
  const cells = (name: string) =>
    objects.map((row) => (isScalar(row[name]) ? oneLine(redact(String(row[name]))) : ""));
  const shown: { readonly name: string; readonly cells: readonly string[]; readonly width: number }[] = [];
  let total = 0;
  for (const name of [
    ...first.filter((each) => names.includes(each)),
    ...names.filter((each) => !first.includes(each)),
  ]) {
    const column = cells(name);
    const title = oneLine(redact(name));
    const width = Math.max(widthOf(title), ...column.map(widthOf));
    if (shown.length > 0 && total + 2 + width > columns) continue;
    total += (shown.length > 0 ? 2 : 0) + width;
    shown.push({ name: title, cells: column, width });
  }
  if (shown.length === 0) return undefined;
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => padded(text, shown[index]?.width ?? 0))
      .join("  ")
      .trimEnd();
  return `${[
    line(shown.map(({ name }) => name.toUpperCase())),
    ...objects.map((_, index) => line(shown.map((column) => column.cells[index] ?? ""))),
  ].join("\n")}\n`;
}
