/** Parts of the IPv4 and IPv6 address spaces, to measure the share of addresses that can reach a port. */

/** Addresses from `first` up to, but without, `end`, as fractions of the address space from 0 to 1. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Returns the span of a range such as `10.0.0.0/8`. */
export function spanOf(range: string): Span {
  const [address = "", length = ""] = range.split("/");
  const size = 2 ** -Number(length);
  const start = address.includes(":") ? startOfIpv6(address) : startOfIpv4(address);
  const first = Math.floor(start / size) * size;
  return { first, end: first + size };
}

const startOfIpv4 = (address: string): number =>
  address.split(".").reduce((sum, part, at) => sum + Number(part) / 256 ** (at + 1), 0);

/** Reads only the first group of the address, so ranges must have at most 16 bits. */
const startOfIpv6 = (address: string): number => Number.parseInt(address.split(":")[0] || "0", 16) / 65_536;

/** Returns the spans in ascending order, joined where they touch. */
function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.first - b.first)) {
    const last = found.at(-1);
    if (last !== undefined && span.first <= last.end)
      found[found.length - 1] = { first: last.first, end: Math.max(last.end, span.end) };
    else found.push(span);
  }
  return found;
}

const sizeOf = (spans: readonly Span[]): number =>
  joined(spans).reduce((sum, { first, end }) => sum + end - first, 0);

/** Returns the size of the part of `own` that is not in `others`, as a fraction of the address space. */
export const sizeWithout = (own: readonly Span[], others: readonly Span[]): number =>
  sizeOf([...own, ...others]) - sizeOf(others);
