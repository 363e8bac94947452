/** Durations in the form that Terraform providers use: `30s`, `10m`, `1h30m`, `1.5h`. */

const units: { readonly [unit: string]: number } = { h: 3600, m: 60, s: 1, ms: 0.001 };
const part = /(\d+(?:\.\d+)?)(ms|h|m|s)/g;

/** Problem of a text that is not a duration, as the end of a sentence. */
export const durationProblem = "must be a duration such as 30s, 10m or 1h30m";

/** Parses a duration to seconds; undefined for invalid text and for durations that are not positive. */
export function parseDuration(text: string): number | undefined {
  if (text.replace(part, "") !== "") return undefined;
  const seconds = [...text.matchAll(part)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0),
    0,
  );
  return seconds > 0 ? seconds : undefined;
}

/** Formats whole seconds in the largest unit that divides them: `2h`, `20m`, `30s`. */
export const formatDuration = (seconds: number): string =>
  seconds % 3600 === 0 ? `${seconds / 3600}h` : seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
