import { type Figure, median, type Unit } from "./measure.ts";

/** Formats all figures as a table in Markdown, which can be copied into a page. */

const digits: Readonly<Record<Unit, number>> = { ms: 1, s: 2, MB: 0, bytes: 0, requests: 0, "×": 2 };

const format = (value: number, unit: Unit): string =>
  unit === "×" ? `${value.toFixed(2)} ×` : `${value.toFixed(digits[unit])} ${unit}`;

const plain = (value: number, unit: Unit): string => value.toFixed(digits[unit]);

/** Returns the range of the middle half of the samples. */
function middleHalf({ samples, unit }: Figure): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return `${plain(at(0.25), unit)} … ${plain(at(0.75), unit)}`;
}

/** Returns `≤ 2.50 × ✓`, with a cross if the median is above the goal; empty without a goal. */
function goalOf({ goal, samples, unit }: Figure): string {
  if (goal === undefined) return "";
  return `≤ ${format(goal, unit)} ${median(samples) <= goal ? "✓" : "✗"}`;
}

const columns = ["measure", "median", "half of all", "runs", "goal"];

const cells = (figure: Figure): string[] => [
  figure.what,
  format(median(figure.samples), figure.unit),
  middleHalf(figure),
  String(figure.samples.length),
  goalOf(figure),
];

/** Returns the figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = [columns, ...figures.map(cells)];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(columns), rule, ...rows.slice(1).map(line)].join("\n");
}

/** Returns the figures that do not reach their goals. */
export const missed = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ goal, samples }) => goal !== undefined && !(median(samples) <= goal));
