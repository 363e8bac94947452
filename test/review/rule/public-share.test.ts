import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { publicSpans, type Spans, shareOf, spansOf, without } from "../../../review/rule/public-share.ts";

/** Sets of addresses, compared with sets of single addresses. */

const prefix = fc.integer({ min: 24, max: 32 });
const range = fc
  .tuple(fc.nat(255), prefix)
  .map(([last, length]) => `198.51.100.${(last >> (32 - length)) << (32 - length)}/${length}`);
const ranges = fc.array(range, { maxLength: 6 });

/** Returns the last bytes of the addresses. */
const bytesIn = (spans: Spans): number[] =>
  spans.flatMap(([first, end]) =>
    Array.from({ length: Number(end - first) }, (_, at) => Number((first + BigInt(at)) & 255n)),
  );

/** Returns the number of ranges that contain each address. */
const countsOf = (all: readonly string[]): readonly number[] => {
  const sets = all.map((one) => new Set(bytesIn(spansOf([one]))));
  return bytes.map((byte) => sets.filter((set) => set.has(byte)).length);
};
const bytes = Array.from({ length: 256 }, (_, byte) => byte);

test("the addresses of ranges, and those that others lack, are the same as one by one", () => {
  fc.assert(
    fc.property(ranges, ranges, (some, others) => {
      const [own, other] = [countsOf(some), countsOf(others)];
      const among = (is: (byte: number) => boolean) => bytes.filter(is);
      expect(bytesIn(spansOf(some))).toEqual(among((byte) => (own[byte] ?? 0) > 0));
      expect(bytesIn(without(spansOf(some), spansOf(others)))).toEqual(
        among((byte) => (own[byte] ?? 0) > 0 && other[byte] === 0),
      );
    }),
  );
});

test.each([
  [["0.0.0.0/0"], 1],
  [["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"], 1],
  [["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "224.0.0.0/3"], 0],
  [["8.8.8.8/32", "no range"], 0],
] as const)("the ranges %j contain the share %s of all public IPv4 addresses", (given, share) => {
  expect(shareOf(spansOf(given), 32)).toBeCloseTo(share, 6);
});

test("the routed block of IPv6 contains all public addresses, and documentation none", () => {
  expect(shareOf(spansOf(["2000::/3"]), 128)).toBe(1);
  expect(shareOf(spansOf(["2001:db8::/32", "fc00::/7"]), 128)).toBe(0);
  expect(publicSpans(128).length).toBeGreaterThan(1);
});
