import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const range = "cidr must be a CIDR such as 10.0.0.0/16";

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  ["a range of IPv6", { cidr: "2001:db8::/64", gatewayIp: "2001:db8::1", ipVersion: 6 }, []],
  ["a range with host bits", { cidr: "10.0.0.7/24" }, []],
  ["its network and a router", { networkId: idOf("network"), routerKrn: "krn:vpc:router" }, []],
  ["no VPC", { vpcId: null }, ["vpcId is required"]],
  [
    "an id of another kind in place of a VPC",
    { vpcId: idOf("volume") },
    ["vpcId is the ID of a volume, but the ID of a VPC is required"],
  ],
  [
    "a masked VPC",
    { vpcId: "krn:vpc:In-Bangalore-1:1:***:vpc:3" },
    ["vpcId is masked (***); the full ID is required"],
  ],
  [
    "a VPC with a space",
    { vpcId: "my vpc" },
    ["vpcId contains a space or a character that is not allowed in an ID"],
  ],
  ["no name", { name: "" }, ["name must not be empty"]],
  ["no range", { cidr: null }, ["cidr is required"]],
  ["a prefix that is too long", { cidr: "10.0.0.0/33" }, [range]],
  ["an address for a range", { cidr: "10.0.0.0" }, [range]],
  ["an invalid address", { cidr: "10.0.0.256/24" }, [range]],
  [
    "a range for a gateway",
    { gatewayIp: "10.0.0.0/24" },
    ["gatewayIp must be an IP address such as 10.0.0.1"],
  ],
  ["another IP version", { ipVersion: 5 }, ["ipVersion must be 4 or 6"]],
  ["the last address for a gateway", { gatewayIp: "10.0.0.255" }, []],
  ["a gateway outside the range", { gatewayIp: "10.0.1.1" }, ["gatewayIp must be an address in 10.0.0.0/24"]],
  ["a gateway of IPv6", { gatewayIp: "2001:db8::1" }, ["gatewayIp must be an address in 10.0.0.0/24"]],
  ["a range of IPv4 as IPv6", { ipVersion: 6 }, ["ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"]],
  [
    "a range of IPv6 without its version",
    { cidr: "2001:db8::/64" },
    ["ipVersion is 4, but 2001:db8::/64 is an IPv6 CIDR"],
  ],
  [
    "an id of another kind in place of a network",
    { networkId: idOf("subnet") },
    ["networkId is the ID of a subnet, but the ID of a network is required"],
  ],
  ["a field that the API sets", { status: "ACTIVE" }, ["status is set by the API and cannot be configured"]],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("subnet", { vpcId: idOf("vpc"), name: "a", cidr: "10.0.0.0/24", ...change })).toEqual(
    expected,
  );
});
