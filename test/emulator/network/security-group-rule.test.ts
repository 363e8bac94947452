import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const krn = expect.stringContaining(":sgr:");
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const seed = {
  ethertypes: undefined,
  portMinRange: undefined,
  portMaxRange: undefined,
  remoteIPPrefix: undefined,
};
const inWeb = { securityid: "{security_group web}" };
const rules = (length: number) => ({ "result.0.rules.length": length });
const group = ["create_vpc", "create_security_group", "create_rule"];

scenario("a create has the shape and the id of the switches", [
  ["create_rule", { vpcid: undefined }, { message: "rule created", status: "success", result: { id: krn } }],
  ["create_rule", { vpcid: undefined }, { result: { id: uuid } }, { ruleId: "uuid" }],
  ["create_rule", { vpcid: undefined }, { result: { id: uuid, krn } }, { ruleId: "both" }],
  ["create_rule", { vpcid: undefined }, { id: krn, message: "rule created" }, { ruleCreateShape: "top" }],
  ["create_rule", { vpcid: undefined }, { id: uuid, krn }, { ruleCreateShape: "top", ruleId: "both" }],
  [
    "create_rule",
    { vpcid: undefined },
    { ruleid: uuid, status: "success" },
    { ruleCreateShape: "named", ruleId: "uuid" },
  ],
  [
    "create_rule",
    { vpcid: undefined },
    { ruleid: uuid, rulekrn: krn },
    { ruleCreateShape: "named", ruleId: "both" },
  ],
]);

scenario("a rule has a direction, protocol, ports and a range of its version", [
  "create_vpc",
  ["create_rule", { ethertypes: "arp" }, "400 ethertypes: must be one of ipv4, ipv6, IPv4, IPv6"],
  ["create_rule", { ethertypes: "IPv4" }, "400 ethertypes: must be one of…", { ethertypeCase: "lower" }],
  ["create_rule", {}, "400 ethertypes: must be one of IPv4, IPv6", { ethertypeCase: "title" }],
  ["create_rule", { protocol: "any" }, "400 protocol: must be one of tcp, udp, icmp, all"],
  ["create_rule", { protocol: "no" }, "400 protocol: must be one of tcp, udp,…", { ruleProtocolAny: true }],
  [
    "create_rule",
    { protocol: "any", portMinRange: 0, portMaxRange: 0, vpcid: undefined },
    201,
    { ruleProtocolAny: true, rulePortZero: true },
  ],
  ["create_rule", { protocol: "ICMP", portMinRange: 1, portMaxRange: 65535, vpcid: undefined }, 201],
  ["create_rule", { portMinRange: 0 }, "400 portMinRange: must be from 1 to 65535"],
  ["create_rule", { portMinRange: 65536 }, "400 portMinRange: must be from 1 to 65535"],
  ["create_rule", { portMaxRange: 65536 }, "400 portMaxRange: must be from 1 to 65535"],
  ["create_rule", { portMaxRange: -1 }, "400 portMaxRange: must be from 0 to 65535", { rulePortZero: true }],
  ["create_rule", { portMinRange: 444 }, "400 portMinRange: must not be above portMaxRange"],
  ["create_rule", { remoteIPPrefix: "10.0.0.1" }, "400 remoteIPPrefix: not a CIDR such as 10.0.0.0/24"],
  ["create_rule", { remoteIPPrefix: "::/0" }, "400 remoteIPPrefix: is IPv6, the ethertype is not"],
]);

scenario("the field names of the seed document are accepted, and a rule gets the VPC of its attachment", [
  "create_vpc",
  "create_vpc other",
  "create_security_group",
  [
    "create_rule",
    {
      ...seed,
      ethertype: "IPv6",
      protocol: "ALL",
      port_range_min: 1,
      port_range_max: 2,
      remote_ip_prefix: "::/0",
      vpcid: undefined,
    },
    201,
  ],
  ["create_rule", { ethertype: "ipv6" }, "400 ethertype: disagrees with ethertypes"],
  ["attach_rule", { ruleid: "{security_group_rule}", ...inWeb }, 200],
]);

scenario("a rule is in several groups, by KRN or UUID, and remains after the delete of one", [
  ...group,
  ["detach_rule", {}, "409 rule … is not attached to security group web"],
  ["detach_rule", {}, 200, { repeatedAttach: 200 }],
  ["attach_rule", inWeb, { message: "rule attached", status: "success" }],
  ["attach_rule", inWeb, "409 rule … is already attached to security group web"],
  ["attach_rule", inWeb, { status: "success" }, { repeatedAttach: 200 }],
  ["attach_rule", { securityid: "{security_group}" }, 200],
  ["list_security_groups", { sortOrder: undefined }, { "result.0.rules.length": 2, "result.1.rules": [krn] }],
  ["list_security_groups", {}, { "result.0.rules": [uuid] }, { ruleListId: "uuid" }],
  [
    "list_security_groups",
    {},
    {
      totalCount: 2,
      "items.0.rules": [
        {
          id: krn,
          direction: "ingress",
          portRangeMin: 80,
          portRangeMax: 443,
          protocol: "tcp",
          remote: "0.0.0.0/0",
        },
      ],
    },
    { groupListShape: "items" },
  ],
  ["delete_security_group", {}, 204],
  ["delete_rule", {}, "409 rule … is attached to a security group; detach it first"],
  ["detach_rule", {}, { message: "rule detached", status: "success" }],
  ["list_security_groups", {}, rules(0)],
  ["attach_rule", inWeb, 200],
  ["delete_rule", {}, 204, { attachedRuleDelete: "detach" }],
  ["list_security_groups", {}, rules(0)],
]);

scenario("rule and group of an attachment are in its VPC, and a rule is deleted with the VPC", [
  ...group,
  "create_vpc other",
  ["attach_rule", { vpcid: "{vpc other}", ...inWeb }, "400 security group web is not of VPC other"],
  ["create_security_group", { vpcid: "{vpc other}", name: "strange" }, 201],
  [
    "attach_rule",
    { vpcid: "{vpc other}", securityid: "{security_group strange}" },
    "400 rule … is not of VPC other",
  ],
  ["delete_security_group", { group: "{security_group web}" }, 204],
  ["delete_vpc", { vpc_id: "{vpc}" }, 202],
  1000,
  ["delete_rule", {}, 404],
]);
