import { BlockList } from "node:net";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  contains,
  firstHost,
  formatAddress,
  formatCidr,
  overlap,
  parseAddress,
  parseCidr,
} from "../../../emulator/network/cidr.ts";

const cidr = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
);
const address = fc.oneof(fc.ipV4(), fc.ipV6());

test("membership agrees with the runtime's own block list", () => {
  fc.assert(
    fc.property(cidr, address, ([base, prefix], candidate) => {
      const family = (text: string) => (text.includes(":") ? "ipv6" : "ipv4");
      const parsed = parseCidr(`${base}/${prefix}`);
      const point = parseAddress(candidate);
      if (!parsed || !point) throw new Error(`not parsed: ${base}/${prefix} ${candidate}`);
      // The runtime treats an IPv4-mapped IPv6 address as IPv4; `contains` separates the address families.
      fc.pre(family(base) === family(candidate));
      const list = new BlockList();
      list.addSubnet(base, prefix, family(base));
      expect(contains(parsed, point)).toBe(list.check(candidate, family(candidate)));
    }),
  );
});

test("converting an address to a number and back returns the same address", () => {
  fc.assert(
    fc.property(address, (text) => {
      const parsed = parseAddress(text);
      if (!parsed) throw new Error(text);
      const written = formatAddress(parsed.version, parsed.number);
      expect(parseAddress(written)).toEqual(parsed);
      expect(formatAddress(parsed.version, parsed.number)).toBe(written);
    }),
  );
});

test("overlap does not depend on the order, and a network overlaps itself", () => {
  fc.assert(
    fc.property(cidr, cidr, ([a, p], [b, q]) => {
      const [one, two] = [parseCidr(`${a}/${p}`), parseCidr(`${b}/${q}`)];
      if (!one || !two) throw new Error("not parsed");
      expect(overlap(one, two)).toBe(overlap(two, one));
      expect(overlap(one, one)).toBe(true);
    }),
  );
});

test.each([
  "",
  "10.0.0.0",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0/24",
  "10.0.0.0/024",
  "::/129",
  "fe80::%1/64",
  "1.2.3.4/8/9",
])("%p is not a CIDR", (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

test.each([
  ["10.1.2.3/24", "10.1.2.0/24", "10.1.2.1", true],
  ["10.0.0.0/8", "10.0.0.0/8", "10.0.0.1", false],
  ["0.0.0.0/0", "0.0.0.0/0", "0.0.0.1", false],
  ["192.0.2.7/32", "192.0.2.7/32", "192.0.2.7", false],
  ["2001:DB8::1/64", "2001:db8::/64", "2001:db8::1", true],
  ["::/0", "::/0", "::1", false],
  ["1:0:0:2:0:0:0:3/128", "1:0:0:2::3/128", "1:0:0:2::3", false],
])("%s is the network %s with the gateway %s", (text, network, gateway, hostBits) => {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(text);
  expect([formatCidr(parsed), firstHost(parsed), parsed.hostBits]).toEqual([network, gateway, hostBits]);
});
