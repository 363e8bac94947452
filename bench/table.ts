import { type Figure, median, type Unit } from "./measure.ts";

/** Formats figures as rows of a table in Markdown, which can be copied into a page. */

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

/** Width of the first column: most names fit, so that the rows, which are printed one by one, are aligned. */
const width = 72;

const line = (what: string, ...cells: readonly string[]): string =>
  `| ${[what.padEnd(width), ...cells.map((cell) => cell.padStart(17))].join(" | ")} |`;

/** Head of the table. */
export const head = `${line("measure", "median", "half of all", "runs", "goal")}
| ${"-".repeat(width)} |${` ${"-".repeat(16)}: |`.repeat(4)}`;

/** Returns the row of a figure. */
export const row = (figure: Figure): string =>
  line(
    figure.what,
    format(median(figure.samples), figure.unit),
    middleHalf(figure),
    String(figure.samples.length),
    goalOf(figure),
  );

/** Returns the figures that do not reach their goals. */
export const missed = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ goal, samples }) => goal !== undefined && !(median(samples) <= goal));
