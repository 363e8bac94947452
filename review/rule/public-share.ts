import { parseRange } from "../../provider/core/ip-address.ts";

/** Share of the public addresses that ranges reach. */

/** Share from which a rule or a policy allows many addresses, and from which all of them. */
export const manyShare = 1 / 16;
export const mostShare = 1 / 2;

/** Addresses from the first one up to, but without, the last one. */
type Span = readonly [first: bigint, end: bigint];

/** Spans in ascending order that neither overlap nor touch. */
export type Spans = readonly Span[];

/** Ranges of unicast addresses, and the blocks in them that are reserved or private. */
const spaces = {
  32: {
    unicast: ["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"],
    reserved: [
      ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
      ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
      ...["198.51.100.0/24", "203.0.113.0/24"],
    ],
  },
  128: {
    unicast: ["2000::/3"],
    reserved: ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
  },
} as const;

type Bits = keyof typeof spaces;

/** Returns the family of a range by the length of its addresses. */
export const bitsOf = (range: string): Bits => (range.includes(":") ? 128 : 32);

/** Returns the addresses of these ranges; those that are no ranges have none. */
export function spansOf(ranges: readonly string[]): Spans {
  const spans = ranges.flatMap((range): Span[] => {
    const parsed = parseRange(range);
    return parsed === undefined
      ? []
      : [[parsed.first, parsed.first + (1n << BigInt(parsed.bits - parsed.prefix))]];
  });
  return union(spans);
}

/** Returns the addresses of all these spans. */
export function union(...all: readonly (readonly Span[])[]): Spans {
  const spans = all.flat();
  const joined: [bigint, bigint][] = [];
  for (const [first, end] of spans.toSorted((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const last = joined.at(-1);
    if (last === undefined || first > last[1]) joined.push([first, end]);
    else if (end > last[1]) last[1] = end;
  }
  return joined;
}

/** Returns the addresses of `spans` that are not in `others`. */
export function without(spans: Spans, others: Spans): Spans {
  const rest: Span[] = [];
  let index = 0;
  for (const [first, end] of spans) {
    let from = first;
    while (index > 0 && (others[index - 1]?.[1] ?? 0n) > first) index -= 1;
    for (; ; index++) {
      const other = others[index];
      if (other === undefined || other[0] >= end) break;
      if (other[1] <= from) continue;
      if (other[0] > from) rest.push([from, other[0]]);
      from = other[1];
      if (from >= end) break;
    }
    if (from < end) rest.push([from, end]);
  }
  return rest;
}

const publics = new Map<Bits, Spans>();

/** Returns the public addresses of a family; computed once. */
export function publicSpans(bits: Bits): Spans {
  const found = publics.get(bits) ?? without(spansOf(spaces[bits].unicast), spansOf(spaces[bits].reserved));
  publics.set(bits, found);
  return found;
}

const sizeOf = (spans: Spans): bigint => spans.reduce((sum, [first, end]) => sum + end - first, 0n);

/** Returns the share of the public addresses of a family that these spans contain, from 0 to 1. */
export function shareOf(spans: Spans, bits: Bits): number {
  const all = publicSpans(bits);
  const total = sizeOf(all);
  return Number(((total - sizeOf(without(all, spans))) * 1_000_000_000n) / total) / 1_000_000_000;
}
