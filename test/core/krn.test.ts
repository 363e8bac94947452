import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isAddress, isCidr, sameAddress, sameCidr } from "../../provider/core/ip-address.ts";
import {
  idProblem,
  inOtherRegion,
  isMasked,
  kindOf,
  matchesMasked,
  regionOf,
  sameId,
} from "../../provider/core/krn.ts";

const part = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/);
const krn = fc.tuple(part, part, part, part, part, fc.uuid()).map((parts) => ["krn", ...parts].join(":"));

test("kind and region are read from a KRN in both layouts", () => {
  const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  expect(kindOf(id)).toBe("vpc");
  expect(regionOf(id)).toBe("In-Bangalore-1");
  expect(kindOf("krn:x:network:In-Bangalore-1:1:subnet/3")).toBe("subnet");
  expect(kindOf("0b6d-opaque")).toBeUndefined();
  expect(regionOf("0b6d-opaque")).toBeUndefined();
  fc.assert(fc.property(krn, (id) => kindOf(id) === id.split(":")[5] && regionOf(id) === id.split(":")[2]));
});

test("an id of another kind, a masked id and an invalid id are rejected with the reason", () => {
  expect(idProblem("krn:vpc:In-Bangalore-1:1:2:vpc:3", "vpc")).toBeUndefined();
  expect(idProblem("krn:vpc:In-Bangalore-1:1:2:VPC:3", "vpc")).toBeUndefined();
  expect(idProblem("old-opaque-id", "vpc")).toBeUndefined();
  expect(idProblem("krn:kbs:In-Bangalore-1:1:2:volume:3", "vpc")).toBe(
    "is the ID of a volume, but the ID of a VPC is required",
  );
  expect(idProblem("krn:kbs:In-Bangalore-1:1:2:volume:3", "security-group")).toBe(
    "is the ID of a volume, but the ID of a security group is required",
  );
  expect(idProblem("krn:x:In-Bangalore-1:1:2:sg:3", "security-group")).toBeUndefined();
  expect(idProblem("krn:vpc:In-Bangalore-1:1:***:vpc:3", "vpc")).toBe(
    "is masked (***); the full ID is required",
  );
  expect(idProblem("", "vpc")).toBe("must not be empty");
  expect(idProblem("..", "vpc")).toBe("is not an ID");
  expect(idProblem("a b", "vpc")).toBe("contains a space or a character that is not allowed in an ID");
  expect(idProblem("a\r\nx-evil: 1", "vpc")).toBe(
    "contains a space or a character that is not allowed in an ID",
  );
});

test("a text that could change a header or a path is not accepted as an id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (id) => {
      if (idProblem(id, "vpc") === undefined) expect(id).toMatch(/^(?!\.{1,2}$)[\x21-\x7e]+$/);
    }),
  );
});

test("ids are compared by their parts: the case has no meaning, except in a last part that is not a UUID", () => {
  const end = fc.stringMatching(/^[A-Za-z]{1,12}$/);
  fc.assert(
    fc.property(krn, end, (id, last) => {
      const [upper, lower] = [id.toUpperCase().replace("KRN:", "krn:"), id.toLowerCase()];
      expect([sameId(upper, lower), matchesMasked(upper, lower)]).toEqual([true, true]);
      expect(sameId(id.split(":").at(-1)?.toUpperCase() ?? "", lower)).toBe(true);
      const named = id.split(":").with(-1, last).join(":");
      expect(sameId(`${named}a`, `${named}A`)).toBe(false);
      expect(sameId(id, `${id.slice(0, -1)}g`)).toBe(false);
    }),
  );
});

test("a listed id equals a full one except for its masked parts", () => {
  fc.assert(
    fc.property(krn, fc.nat(6), (id, at) => {
      const masked = id.split(":").with(at, "***").join(":");
      expect(isMasked(masked)).toBe(true);
      expect([matchesMasked(id, id), matchesMasked(masked, id), matchesMasked(`${masked}:x`, id)]).toEqual([
        true,
        true,
        false,
      ]);
    }),
  );
  expect(matchesMasked("krn:a:***", "krn:a:b:c")).toBe(false);
});

test("a bare id equals only the KRN that ends with it", () => {
  const id = "krn:sgr:In-Bangalore-1:1:2:sgr:7f3a";
  expect([sameId("7f3a", id), sameId(id, "7f3a"), matchesMasked("7f3a", id)]).toEqual([true, true, true]);
  expect([sameId("7f3b", id), sameId("krn:sgr:In-Hyderabad-1:1:2:sgr:7f3a", id)]).toEqual([false, false]);
  expect(sameId("krn:x:network:In-Bangalore-1:1:subnet/7f3a", "7f3a")).toBe(true);
});

test("an id is in another region only if it clearly names one", () => {
  const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  expect(inOtherRegion(id, "In-Hyderabad-1")).toBe(true);
  expect(inOtherRegion(id, "in-bangalore-1")).toBe(false);
  expect(inOtherRegion("krn:vpc:in-blr-1x:1:2:vpc:3", "In-Bangalore-1")).toBe(false);
  expect(inOtherRegion("krn:vpc:in-blr-1:1:2:vpc:3", "In-Bangalore-1")).toBe(false);
  expect(inOtherRegion("opaque", "In-Bangalore-1")).toBe(false);
});

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();

test("ranges and addresses are distinguished from other texts", () => {
  for (const text of ["10.0.0.0/16", "0.0.0.0/0", "2001:db8::/32", "::/0", "10.0.0.1/32"])
    expect([text, isCidr(text)]).toEqual([text, true]);
  for (const text of [
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0/16",
    "::/129",
    "10.0.0.0/16/1",
    "10.0.0.0/",
    "a/8",
    "",
  ])
    expect([text, isCidr(text)]).toEqual([text, false]);
  for (const text of ["fe80::1%eth0", "010.0.0.1", "10.0.0.256", "[::1]", "10.0.0.0/8", ""])
    expect([text, isAddress(text)]).toEqual([text, false]);
  fc.assert(fc.property(fc.string(), (text) => typeof isAddress(text) === "boolean"));
  fc.assert(fc.property(fc.oneof(ipv4, ipv6), (text) => isAddress(text)));
});

test("addresses are equal by value in any spelling", () => {
  expect(sameAddress("2001:DB8::1", "2001:db8:0:0:0:0:0:1")).toBe(true);
  expect(sameAddress("::ffff:1.2.3.4", "::ffff:102:304")).toBe(true);
  expect(sameAddress("10.0.0.1", "10.0.0.2")).toBe(false);
  expect(sameAddress("x", "x")).toBe(false);
  fc.assert(
    fc.property(ipv6, (text) => sameAddress(text, new URL(`http://[${text}]`).hostname.slice(1, -1))),
  );
});

test("ranges are equal by their addresses: bits after the prefix have no meaning", () => {
  expect(sameCidr("10.0.1.7/16", "10.0.0.0/16")).toBe(true);
  expect(sameCidr("2001:DB8:1::/32", "2001:db8::/32")).toBe(true);
  expect(sameCidr("10.0.0.0/16", "10.0.0.0/17")).toBe(false);
  expect(sameCidr("10.1.0.0/16", "10.0.0.0/16")).toBe(false);
  const bits = (address: string) =>
    address
      .split(".")
      .map((byte) => Number(byte).toString(2).padStart(8, "0"))
      .join("");
  fc.assert(
    fc.property(ipv4, ipv4, fc.nat(32), (a, b, prefix) => {
      const equal = bits(a).slice(0, prefix) === bits(b).slice(0, prefix);
      return sameCidr(`${a}/${prefix}`, `${b}/${prefix}`) === equal;
    }),
  );
});
