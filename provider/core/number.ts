import { isDeepStrictEqual } from "node:util";

/**
 * Engines send decimals of up to 512 bits, the provider calculates with doubles. A number that no double represents
 * exactly is rejected, never rounded: a rounded value makes the engine reject the plan or show a change forever.
 */

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Canonical form of a decimal: sign, digits without leading and trailing zeros, power of ten of the last digit. */
function canonical(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  if (whole === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  if (trimmed === "") return "0";
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}

/** Converts a decimal to the double that equals it; undefined if there is none. */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  const wanted = canonical(text);
  return wanted !== undefined && Number.isFinite(number) && canonical(String(number)) === wanted
    ? number
    : undefined;
}

/** Returns true if two JSON texts say the same: whitespace and the order of keys do not matter, every digit does. */
export const sameJson = (a: string, b: string): boolean =>
  isDeepStrictEqual(parseExactly(a), parseExactly(b));

/** Parses JSON. A number that no double represents becomes a symbol of its canonical form. */
function parseExactly(text: string): unknown {
  const exact = (_: string, value: unknown, { source = "" }: { source?: string }) =>
    typeof value === "number" ? (exactNumber(source) ?? Symbol.for(canonical(source) ?? source)) : value;
  return JSON.parse(text, exact as never);
}
