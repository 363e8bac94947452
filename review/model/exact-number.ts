/**
 * Numbers of plans that a double does not represent, such as integers above 2^53: their digits are kept as text with a mark,
 * because two different ones must not look equal.
 */

/** Private-use character, which the reader replaces in all texts of an input. */
const mark = "\uE003";

/** Returns the value of a number in JSON: a double if it represents the number, otherwise its digits with the mark. */
export const numberOf = (value: number, source: string): number | string =>
  Number.isFinite(value) && isEqual(String(value), source) ? value : `${mark}${source}`;

/** Returns the digits of a marked number; undefined for any other value. */
export const digitsOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.startsWith(mark) ? value.slice(1) : undefined;

/** Returns true if two decimal numbers are equal, in any notation. */
const isEqual = (a: string, b: string): boolean => a === b || normalized(a) === normalized(b);

/** Returns the digits of a decimal number without zeros around them, and its exponent. */
function normalized(text: string): string {
  const [, sign = "", whole = "", part = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${BigInt(exponent) - BigInt(part.length) + BigInt(digits.length - short.length)}`;
}
