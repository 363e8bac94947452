import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { idOf, problemsOf } from "../../support/problem.ts";

test.each<[string, Values, string[]]>([
  ["a range of IPv6", { cidr: "2001:db8::/64", gatewayIp: "2001:db8::1", ipVersion: 6 }, []],
  ["the last address for a gateway", { gatewayIp: "10.0.0.255" }, []],
  ["a gateway outside the range", { gatewayIp: "10.0.1.1" }, ["gatewayIp must be an address in 10.0.0.0/24"]],
  ["a gateway of IPv6", { gatewayIp: "2001:db8::1" }, ["gatewayIp must be an address in 10.0.0.0/24"]],
  ["a range of IPv4 as IPv6", { ipVersion: 6 }, ["ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"]],
  [
    "a range of IPv6 without its version",
    { cidr: "2001:db8::/64" },
    ["ipVersion is 4, but 2001:db8::/64 is an IPv6 CIDR"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("subnet", { vpcId: idOf("vpc"), name: "a", cidr: "10.0.0.0/24", ...change })).toEqual(
    expected,
  );
});
