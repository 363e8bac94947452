/**
 * Numbers of an engine are decimals of up to 512 bits. Here they are doubles, so one that no double can hold is
 * refused, never rounded: rounding shows up as a plan that the engine rejects or that never comes to rest.
 */

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Sign, digits without zeros at either end, and the power of ten of the last one: equal for equal decimals. */
function canonical(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  if (whole === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** The double that reads exactly as this decimal, or undefined if there is none. */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  const wanted = canonical(text);
  return wanted !== undefined && Number.isFinite(number) && canonical(String(number)) === wanted
    ? number
    : undefined;
}
