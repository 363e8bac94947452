/** Parts of the IPv4 and IPv6 address spaces, to measure the share of the public addresses that can reach a port. */

/** Addresses from `first` up to, but without, `end`, as fractions of the address space from 0 to 1. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Returns the span of a range such as `10.0.0.0/8`, or of an address. */
export function spanOf(range: string): Span {
  const [address = "", length] = range.split("/");
  const isIpv6 = address.includes(":");
  const size = 2 ** -Number(length ?? (isIpv6 ? 128 : 32));
  const start = isIpv6 ? startOfIpv6(address) : startOfIpv4(address);
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
const sizeWithout = (own: readonly Span[], others: readonly Span[]): number =>
  sizeOf([...own, ...others]) - sizeOf(others);

/** Blocks of each family that are no public addresses. Omits those of IPv6 that no drawn range is in. */
const notPublic = {
  IPv4: [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
    ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
    ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
  ],
  IPv6: ["0::/3", "4000::/2", "8000::/1", "2002::/16"],
} as const;

/** Family of addresses. */
export type Family = keyof typeof notPublic;

export const families = Object.keys(notPublic) as readonly Family[];

/** Returns the family of a range. */
export const familyOf = (range: string): Family => (range.includes(":") ? "IPv6" : "IPv4");

/** Returns the share of the public addresses of a family that are in `own`, but not in `others`, from 0 to 1. */
export function publicShare(family: Family, own: readonly Span[], others: readonly Span[]): number {
  const excluded = notPublic[family].map(spanOf);
  return sizeWithout(own, [...others, ...excluded]) / (1 - sizeOf(excluded));
}
