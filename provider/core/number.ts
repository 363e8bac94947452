import { isDeepStrictEqual } from "node:util";

/**
 * Conversion of numbers. Engines send decimals of up to 512 bits, and the provider calculates with doubles. A number that
 * no double represents exactly is rejected instead of rounded: after rounding, the engine would reject the plan or show a
 * change in every plan.
 */

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns the canonical form of a decimal: sign, digits without outer zeros, power of ten of the last digit. */
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

/** Returns true if two JSON texts have equal values. Whitespace and the order of keys are ignored; numbers are exact. */
export const sameJson = (a: string, b: string): boolean =>
  isDeepStrictEqual(parseExactly(a), parseExactly(b));

/** Parses JSON. A number that no double represents becomes a symbol of its canonical form. */
function parseExactly(text: string): unknown {
  const exact = (_: string, value: unknown, { source = "" }: { source?: string }) =>
    typeof value === "number" ? (exactNumber(source) ?? Symbol.for(canonical(source) ?? source)) : value;
  return JSON.parse(text, exact as never);
}
