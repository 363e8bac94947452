/** Returns a Terraform address without indices and keys: `module.a.kcloud_vpc.b` for `module.a["x"].kcloud_vpc.b[0]`. */
export const withoutIndices = (address: string): string =>
  address.includes("[") ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "") : address;

/** Returns the index or key at the end of a Terraform address, with its brackets; empty if there is none. */
export const instanceIndex = (address: string): string =>
  address.endsWith("]") ? (/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/.exec(address)?.[0] ?? "") : "";

/** Compares two addresses: numbers by value, so that `data[2]` comes before `data[10]`, other characters by code unit. */
export function compareAddresses(a: string, b: string): number {
  if (a === b) return 0;
  let position = 0;
  while (position < a.length && a.charCodeAt(position) === b.charCodeAt(position)) position++;
  while (position > 0 && isDigit(a.charCodeAt(position - 1))) position--;
  const [one, other] = [digitsAt(a, position), digitsAt(b, position)];
  if (one === undefined || other === undefined || one === other) return a < b ? -1 : 1;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Compares two texts by code unit. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Returns the number at a position of a text without leading zeros; undefined if there is no digit. */
function digitsAt(text: string, start: number): string | undefined {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end === start ? undefined : text.slice(start, end).replace(/^0+(?=\d)/, "");
}
