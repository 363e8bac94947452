import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { problemsOf } from "../support/problem.ts";

const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };

test.each<[string, Values, string[]]>([
  ["a name alone", {}, []],
  ["optional fields", { description: "", enabled: false, networkName: "n", ipVersion: 6 }, []],
  ["a first subnet", { primarySubnet: { ...primarySubnet, gatewayIp: "10.0.0.1", ipVersion: 4 } }, []],
  ["no name", { name: null }, ["name is required"]],
  ["an empty name", { name: "" }, ["name must not be empty"]],
  ["a number for a name", { name: 5 }, ["name must be a string"]],
  ["an empty name of the network", { networkName: "" }, ["networkName must not be empty"]],
  ["another IP version", { ipVersion: 5 }, ["ipVersion must be 4 or 6"]],
  ["an IP version as text", { ipVersion: "4" }, ["ipVersion must be 4 or 6"]],
  ["a word for a switch", { enabled: "yes" }, ["enabled must be true or false"]],
  ["a field that the API sets", { status: "success" }, ["status is set by the API and cannot be configured"]],
  ["a mistyped field", { nam: "x" }, ["nam is not a known attribute; did you mean name?"]],
  ["an unknown field", { colour: "x" }, ["colour is not a known attribute"]],
  ["a text for a subnet", { primarySubnet: "a" }, ["primarySubnet must be an object"]],
  ["a subnet without its range", { primarySubnet: { name: "a" } }, ["primarySubnet.cidr is required"]],
  [
    "an address for a range",
    { primarySubnet: { ...primarySubnet, cidr: "10.0.0.0" } },
    ["primarySubnet.cidr must be a CIDR such as 10.0.0.0/16"],
  ],
  [
    "half an address",
    { primarySubnet: { ...primarySubnet, gatewayIp: "10.0.0" } },
    ["primarySubnet.gatewayIp must be an IP address such as 10.0.0.1"],
  ],
  [
    "a gateway outside the range",
    { primarySubnet: { ...primarySubnet, gatewayIp: "10.0.1.1" } },
    ["primarySubnet.gatewayIp must be an address in 10.0.0.0/24"],
  ],
  [
    "an IP version of the VPC that differs from that of the range",
    { ipVersion: 6, primarySubnet },
    ["ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"],
  ],
  [
    "an IP version of the subnet that differs from that of the range",
    { primarySubnet: { ...primarySubnet, ipVersion: 6 } },
    ["primarySubnet.ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"],
  ],
  [
    "a subnet of another IP version than the VPC",
    { ipVersion: 6, primarySubnet: { ...primarySubnet, ipVersion: 4 } },
    [],
  ],
  [
    "another IP version of the subnet",
    { primarySubnet: { ...primarySubnet, ipVersion: 0 } },
    ["primarySubnet.ipVersion must be 4 or 6"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("vpc", { name: "net", ...change })).toEqual(expected);
});
