import { UNKNOWN, type Value, type Values } from "../../../../provider/core/value.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

const vpcId = "vpc-number-1";
const rule = (remoteIpPrefix: string, port: number | null = 22, more: Values = {}): Values => ({
  vpcId,
  securityGroupId: "group-1",
  direction: "ingress",
  protocol: "tcp",
  ...(port === null ? {} : { portRangeMin: port, portRangeMax: port }),
  remoteIpPrefix,
  ...more,
});
const kind = "security-group-rule";
const at = (name: string) => ({ address: `kcloud_security_group_rule.${name}` });
const created = (values: Values, name = "it") => changeOf(kind, undefined, values, at(name));
const deleted = (values: Values, name = "it") => changeOf(kind, values, undefined, at(name));
const kept = (values: Values, name = "kept") => unchanged(kind, values, at(name));
const everywhere = "0.0.0.0/0";
const instance = { vpcId, name: "web", subnetId: "subnet-1", securityGroups: ["group-1"], floatingIp: true };
const address = { floatingIpAddress: "192.0.2.7" };
const group = { vpcId, name: "web" };
const pod = { name: "train", templateId: 1, exposeHttpPorts: [], exposeTcpPorts: [] };
const subnet = (cidr: string, name = "a") => ({ vpcId, name, cidr });
const inNew = (name: string, cidr: string, index: number) =>
  changeOf(
    "subnet",
    undefined,
    { vpcId: UNKNOWN, name, cidr },
    {
      address: `kcloud_subnet.s[${index}]`,
      dependsOn: ["kcloud_vpc.v"],
    },
  );

const floating = { vpcId, name: "front", subnetId: "subnet-1", portId: "port-1", address: "192.0.2.7" };

export const networkCases: readonly RuleCase[] = [
  {
    rule: "NET-01",
    name: "SSH from everywhere",
    plans: [planOf([created(rule(everywhere))])],
    finds: ["opens port 22 to 0.0.0.0/0: SSH (22)"],
  },
  {
    rule: "NET-01",
    name: "SSH from everywhere by IPv6",
    plans: [planOf([created(rule("::/0", 22, { ethertype: "IPv6" }))])],
    finds: ["opens port 22 to ::/0"],
  },
  {
    rule: "NET-01",
    name: "SSH from all routed IPv6 addresses",
    plans: [planOf([created(rule("2000::/3", 22, { ethertype: "IPv6" }))])],
    finds: ["opens port 22 to ::/0"],
  },
  {
    rule: "NET-01",
    name: "SSH from a private network",
    plans: [planOf([created(rule("10.0.0.0/8"))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "SSH from local IPv6 addresses",
    plans: [planOf([created(rule("fc00::/7", 22, { ethertype: "IPv6" }))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "HTTPS from everywhere",
    plans: [planOf([created(rule(everywhere, 443))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "outgoing traffic",
    plans: [planOf([created(rule(everywhere, 22, { direction: "egress" }))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "ICMP",
    plans: [planOf([created(rule(everywhere, null, { protocol: "icmp" }))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "every protocol",
    plans: [planOf([created(rule(everywhere, null, { protocol: "all" }))])],
    finds: ["opens ports 1 to 65535"],
  },
  {
    rule: "NET-01",
    name: "every protocol by another name",
    plans: [planOf([created(rule(everywhere, null, { protocol: "ANY" }))])],
    finds: ["opens ports 1 to 65535"],
  },
  {
    rule: "NET-01",
    name: "a range that grows to everywhere",
    plans: [planOf([changeOf(kind, rule("10.0.0.0/8"), rule(everywhere))])],
    finds: ["opens port 22"],
  },
  {
    rule: "NET-01",
    name: "a range that shrinks",
    plans: [planOf([changeOf(kind, rule(everywhere), rule("10.0.0.0/8"))])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a rule that is replaced with the same content",
    plans: [planOf([changeOf(kind, rule(everywhere), rule(everywhere), { action: "replace" })])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a rule that another one of the group replaces",
    plans: [planOf([deleted(rule(everywhere), "old"), created(rule(everywhere), "new")])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a rule that was in another group",
    plans: [
      planOf([
        deleted(rule(everywhere), "old"),
        created(rule(everywhere, 22, { securityGroupId: "group-2" }), "new"),
      ]),
    ],
    finds: ["opens port 22"],
  },
  {
    rule: "NET-01",
    name: "an open rule that moves to another group",
    plans: [planOf([changeOf(kind, rule(everywhere), rule(everywhere, 22, { securityGroupId: "group-2" }))])],
    finds: ["opens port 22"],
  },
  {
    rule: "NET-01",
    name: "a closed rule that moves to another group",
    plans: [
      planOf([changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 22, { securityGroupId: "group-2" }))]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "two halves of all addresses",
    plans: [planOf([created(rule("0.0.0.0/1"), "a"), created(rule("128.0.0.0/1"), "b")])],
    finds: ["opens port 22", "opens port 22"],
  },
  {
    rule: "NET-01",
    name: "the second half of all addresses",
    plans: [planOf([kept(rule("0.0.0.0/1")), created(rule("128.0.0.0/1"))])],
    finds: [{ severity: "high", text: "opens port 22 to 128.0.0.0/1" }],
  },
  {
    rule: "NET-01",
    name: "the second half of all addresses at some of the ports",
    plans: [planOf([kept(rule("0.0.0.0/1")), created(rule("128.0.0.0/1", 1, { portRangeMax: 100 }))])],
    finds: [{ severity: "high", text: "opens ports 1 to 100 to 128.0.0.0/1" }],
  },
  {
    rule: "NET-01",
    name: "halves that become one rule",
    plans: [
      planOf([deleted(rule("0.0.0.0/1"), "a"), deleted(rule("128.0.0.0/1"), "b"), created(rule(everywhere))]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "halves in two groups",
    plans: [
      planOf([
        created(rule("0.0.0.0/1"), "a"),
        created(rule("128.0.0.0/1", 22, { securityGroupId: "group-2" }), "b"),
      ]),
    ],
    finds: ["to 0.0.0.0/1", { severity: "high", text: "to 128.0.0.0/1" }],
  },
  ...[[], [{ address: "terraform_data.a", attribute: "output" }]].map((origins) => ({
    rule: "NET-01",
    name: `a new port whose groups ${origins.length === 0 ? "the API chooses" : "follow from another object"}`,
    plans: [
      planOf([
        changeOf(
          "port",
          undefined,
          { vpcId: "vpc-1", name: "inner", subnetId: "subnet-1", securityGroups: UNKNOWN },
          { originsOf: () => origins },
        ),
      ]),
    ],
    finds: [
      origins.length === 0
        ? { severity: "medium" as const, confidence: "needs a live check", text: "that the API chooses" }
        : { severity: "high" as const, confidence: "likely", text: "may join a security group" },
    ],
  })),
  {
    rule: "NET-01",
    name: "small ranges that are many addresses together, and one that is known only after the apply",
    plans: [
      planOf(
        ["8.0.0.0/6", "16.0.0.0/6", "24.0.0.0/6", "32.0.0.0/6", UNKNOWN as Value].map((range, index) =>
          changeOf(kind, undefined, rule("10.0.0.0/8", 22, { remoteIpPrefix: range }), {
            address: `kcloud_security_group_rule.r[${index}]`,
          }),
        ),
      ),
    ],
    finds: [
      ...[8, 16, 24, 32].map((first) => ({ severity: "high" as const, text: `${first}.0.0.0/6` })),
      { confidence: "likely", text: "0.0.0.0/0" },
    ],
  },
  {
    rule: "NET-01",
    name: "quarters of all addresses in a group that the plan creates",
    plans: [
      planOf([
        changeOf("security-group", undefined, group, { address: "kcloud_security_group.web" }),
        ...["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"].map((range, index) =>
          changeOf(kind, undefined, rule(range, 22, { securityGroupId: UNKNOWN }), {
            address: `kcloud_security_group_rule.r[${index}]`,
            dependsOn: ["kcloud_security_group.web"],
            originsOf: () => [{ address: "kcloud_security_group.web", attribute: "id" }],
          }),
        ),
      ]),
    ],
    finds: ["to 0.0.0.0/0", "to 0.0.0.0/0", "to 0.0.0.0/0", "to 0.0.0.0/0"],
  },
  ...[UNKNOWN as Value, "group-2"].map((securityGroupId) => ({
    rule: "NET-01",
    name: `a rule that moves ${securityGroupId === UNKNOWN ? "to" : "from"} a group that the plan does not show`,
    plans: [
      planOf([
        changeOf(
          kind,
          rule("0.0.0.0/0", 22, securityGroupId === UNKNOWN ? {} : { securityGroupId: UNKNOWN }),
          rule("0.0.0.0/0", 22, { securityGroupId }),
        ),
      ]),
    ],
    finds: [
      securityGroupId === UNKNOWN
        ? { confidence: "likely", text: "may open port 22 to 0.0.0.0/0: SSH (22) (security_group_id" }
        : "opens port 22 to 0.0.0.0/0",
    ],
  })),
  {
    rule: "NET-01",
    name: "a range of an unknown IP version, in a group that every IPv4 address reaches",
    plans: [
      planOf([
        unchanged(kind, rule("0.0.0.0/0", 22), { address: "kcloud_security_group_rule.old" }),
        changeOf(kind, undefined, rule("10.0.0.0/8", 22, { remoteIpPrefix: UNKNOWN, ethertype: UNKNOWN })),
      ]),
    ],
    finds: [{ confidence: "likely", text: "may open port 22 to ::/0" }],
  },
  {
    rule: "NET-01",
    name: "half of all addresses",
    plans: [planOf([created(rule("0.0.0.0/1"))])],
    finds: ["to 0.0.0.0/1"],
  },
  {
    rule: "NET-01",
    name: "a port that is known only after the apply",
    plans: [planOf([created({ ...rule(everywhere, null), portRangeMin: UNKNOWN, portRangeMax: UNKNOWN })])],
    finds: [{ confidence: "likely", text: "may open" }],
  },
  {
    rule: "NET-01",
    name: "a range that hangs on an address which the plan creates",
    plans: [
      planOf([
        changeOf("floating-ip", undefined, { vpcId: "vpc-1" }),
        changeOf(
          kind,
          undefined,
          { ...rule(everywhere), remoteIpPrefix: UNKNOWN },
          { originsOf: () => [{ address: "kcloud_floating_ip.it", attribute: "address" }] },
        ),
      ]),
    ],
    finds: [{ severity: "high", confidence: "likely", text: "may open port 22" }],
  },
  {
    rule: "NET-01",
    name: "an instance that may join any group",
    plans: [planOf([changeOf("instance", instance, { ...instance, securityGroups: UNKNOWN })])],
    finds: [
      { severity: "high", confidence: "likely", text: "security_groups is known only after the apply" },
    ],
  },
  {
    rule: "NET-01",
    name: "an instance that joins a group which no plan shows",
    plans: [
      planOf([changeOf("instance", instance, { ...instance, securityGroups: ["group-1", "group-9"] })]),
    ],
    finds: [{ severity: "medium", confidence: "needs a live check", text: "joins group-9" }],
  },
  {
    rule: "NET-06",
    name: "an empty subnet that is replaced",
    plans: [planOf([changeOf("subnet", subnet("10.0.0.0/24"), subnet("10.0.1.0/24"))])],
    finds: [{ severity: "medium", text: 'Subnet "a" is replaced; the plan shows no objects in it.' }],
  },
  {
    rule: "NET-01",
    name: "ranges that together are all addresses but those of multicast",
    plans: [
      planOf(["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"].map((range, at) => created(rule(range), `r${at}`))),
    ],
    finds: ["to 0.0.0.0/0: SSH (22)", "to 0.0.0.0/0: SSH (22)", "to 0.0.0.0/0: SSH (22)"],
  },
  {
    rule: "NET-01",
    name: "many small ranges that together are a sixteenth of all addresses",
    plans: [
      planOf(
        Array.from({ length: 16 }, (_, at) =>
          created(rule(`${16 + at}.0.0.0/8`), `r${String(at).padStart(2, "0")}`),
        ),
      ),
    ],
    finds: Array.from({ length: 16 }, () => ({
      severity: "high" as const,
      text: "and with other rules to 7 % of all public addresses",
    })),
  },
  {
    rule: "NET-01",
    name: "small ranges that together are a sixteenth of all addresses, each in two rules",
    plans: [
      planOf(
        Array.from({ length: 32 }, (_, at) => created(rule(`${16 + (at >> 1)}.0.0.0/8`), `r${10 + at}`)),
      ),
    ],
    finds: Array.from({ length: 32 }, () => ({ severity: "high" as const, text: "to 7 % of all public" })),
  },
  {
    rule: "NET-01",
    name: "private and reserved ranges",
    plans: [
      planOf(["10.0.0.0/8", "224.0.0.0/3", "127.0.0.0/8"].map((range, at) => created(rule(range), `r${at}`))),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a range that is known only after the apply",
    plans: [planOf([created({ ...rule(everywhere), remoteIpPrefix: UNKNOWN })])],
    finds: [
      {
        confidence: "likely",
        text: "may open port 22 to 0.0.0.0/0: SSH (22) (remote_ip_prefix is known only after the apply).",
      },
    ],
  },
  {
    rule: "NET-01",
    name: "a forgotten rule",
    plans: [planOf([changeOf(kind, rule(everywhere), undefined, { action: "forget" })])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "an imported open rule",
    plans: [planOf([unchanged(kind, rule(everywhere), { importedId: "rule-1" })])],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "an instance that joins an open group",
    plans: [
      planOf([
        kept(rule(everywhere)),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ]),
    ],
    finds: [
      {
        severity: "high",
        text: 'Instance "web" joins a security group that allows every address to reach SSH (22).',
      },
    ],
  },
  {
    rule: "NET-01",
    name: "an instance that joins a closed group",
    plans: [
      planOf([
        kept(rule("10.0.0.0/8")),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "an instance in an open group that changes otherwise",
    plans: [
      planOf([
        kept(rule(everywhere)),
        changeOf("instance", instance, { ...instance, powerState: "stopped" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "an instance that joins an open group, and is in another one with the same port",
    plans: [
      planOf([
        kept(rule(everywhere)),
        kept(rule(everywhere, 22, { securityGroupId: "group-2" }), "other"),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a replaced instance that stays in an open group",
    plans: [
      planOf([
        kept(rule(everywhere)),
        changeOf("instance", instance, { ...instance, instanceType: "c1.large" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "a small range next to one of every address",
    plans: [planOf([created(rule("10.0.0.0/8"), "small"), created(rule(everywhere), "all")])],
    finds: ["opens port 22 to 0.0.0.0/0"],
  },
  {
    rule: "NET-01",
    name: "a rule whose instances are named",
    plans: [planOf([created(rule(everywhere)), unchanged("instance", instance)])],
    finds: ['It reaches instance "web".'],
  },

  {
    rule: "NET-02",
    name: "many ports",
    plans: [planOf([created(rule(everywhere, 8000, { portRangeMax: 8200 }))])],
    finds: ["opens ports 8000 to 8200 of tcp to 0.0.0.0/0"],
  },
  {
    rule: "NET-02",
    name: "every protocol",
    plans: [planOf([created(rule(everywhere, null, { protocol: "all" }))])],
    finds: ["of every protocol to 0.0.0.0/0"],
  },
  {
    rule: "NET-02",
    name: "a hundred ports",
    plans: [planOf([created(rule(everywhere, 8001, { portRangeMax: 8100 }))])],
    finds: [],
  },
  {
    rule: "NET-02",
    name: "ICMP",
    plans: [planOf([created(rule(everywhere, null, { protocol: "icmp" }))])],
    finds: [],
  },
  {
    rule: "NET-02",
    name: "many ports from a private network",
    plans: [planOf([created(rule("10.0.0.0/8", 1, { portRangeMax: 65535 }))])],
    finds: [],
  },

  {
    rule: "NET-03",
    name: "a range that grows",
    plans: [planOf([changeOf(kind, rule("10.0.1.0/24"), rule("10.0.0.0/16"))])],
    finds: ["256 → 65536 addresses"],
  },
  {
    rule: "NET-03",
    name: "a range that shrinks",
    plans: [planOf([changeOf(kind, rule("10.0.0.0/16"), rule("10.0.1.0/24"))])],
    finds: [],
  },
  {
    rule: "NET-03",
    name: "another range of the same size",
    plans: [planOf([changeOf(kind, rule("10.0.0.0/16"), rule("10.1.0.0/16"))])],
    finds: [],
  },
  {
    rule: "NET-03",
    name: "the same range in another spelling",
    plans: [planOf([changeOf(kind, rule("10.0.0.0/16"), rule("10.0.7.7/16"), { action: "replace" })])],
    finds: [],
  },

  {
    rule: "NET-04",
    name: "a rule that moves",
    plans: [
      planOf([changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 22, { securityGroupId: "group-2" }))]),
    ],
    finds: ["moves to another group"],
  },
  {
    rule: "NET-04",
    name: "a rule that is replaced with the same content",
    plans: [
      planOf([
        changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8"), { action: "replace", order: "delete first" }),
      ]),
    ],
    finds: [{ severity: "low", text: "is deleted before its replacement exists" }],
  },
  {
    rule: "NET-04",
    name: "a rule that is replaced by one with other traffic",
    plans: [
      planOf([
        changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 23), {
          action: "replace",
          order: "delete first",
        }),
      ]),
    ],
    finds: ["is deleted before its replacement exists"],
  },
  {
    rule: "NET-04",
    name: "a rule that is created first",
    plans: [planOf([changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/16"), { order: "create first" })])],
    finds: [],
  },
  { rule: "NET-04", name: "a new rule", plans: [planOf([created(rule("10.0.0.0/8"))])], finds: [] },

  {
    rule: "NET-05",
    name: "an instance with a public address is replaced",
    plans: [
      planOf([changeOf("instance", { ...instance, ...address }, { ...instance, instanceType: "c1.large" })]),
    ],
    finds: ["loses its public address 192.0.2.7"],
  },
  {
    rule: "NET-05",
    name: "a floating IP is released",
    plans: [planOf([changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.8" }, undefined)])],
    finds: ["loses its public address 192.0.2.8"],
  },
  {
    rule: "NET-05",
    name: "a floating IP is released while its instance stays",
    plans: [
      planOf([
        changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.7" }, undefined),
        unchanged("instance", { ...instance, ...address }),
      ]),
    ],
    finds: ["Floating ip"],
  },
  {
    rule: "NET-05",
    name: "an instance is deleted and its floating IP stays",
    plans: [
      planOf([
        changeOf("instance", { ...instance, ...address }, undefined),
        unchanged("floating-ip", { vpcId, name: "front", address: "192.0.2.7" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-05",
    name: "an instance without a public address",
    plans: [planOf([changeOf("instance", instance, undefined)])],
    finds: [],
  },
  {
    rule: "NET-05",
    name: "a floating IP that is forgotten",
    plans: [
      planOf([
        changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.8" }, undefined, {
          action: "forget",
        }),
      ]),
    ],
    finds: [],
  },

  {
    rule: "NET-06",
    name: "a VPC with objects is replaced",
    plans: [
      planOf([
        changeOf("vpc", { name: "net" }, { name: "other" }, { id: vpcId, name: "net" }),
        unchanged("subnet", subnet("10.0.0.0/24")),
      ]),
    ],
    finds: ['Vpc "net" is replaced, with 1 object in it: subnet "a".'],
  },
  {
    rule: "NET-06",
    name: "an empty VPC is deleted",
    plans: [planOf([changeOf("vpc", { name: "net" }, undefined)])],
    finds: [{ severity: "medium", text: "the plan shows no objects in it" }],
  },
  {
    rule: "NET-06",
    name: "a VPC whose description is the same",
    plans: [planOf([unchanged("vpc", { name: "net" })])],
    finds: [],
  },
  {
    rule: "NET-06",
    name: "a security group is deleted",
    plans: [planOf([changeOf("security-group", group, undefined)])],
    finds: [],
  },

  {
    rule: "NET-07",
    name: "a new subnet that overlaps another one",
    plans: [
      planOf([
        unchanged("subnet", subnet("10.0.0.0/16")),
        changeOf("subnet", undefined, subnet("10.0.3.0/24", "b")),
      ]),
    ],
    finds: ['10.0.3.0/24 of subnet "b" overlaps 10.0.0.0/16'],
  },
  {
    rule: "NET-07",
    name: "a new subnet next to another one",
    plans: [
      planOf([
        unchanged("subnet", subnet("10.0.0.0/24")),
        changeOf("subnet", undefined, subnet("10.0.1.0/24", "b")),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-07",
    name: "equal ranges in two VPCs",
    plans: [
      planOf([
        unchanged("subnet", subnet("10.0.0.0/24")),
        changeOf("subnet", undefined, { ...subnet("10.0.0.0/24", "b"), vpcId: "vpc-number-2" }),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-07",
    name: "equal ranges in the VPCs of one block",
    plans: [planOf([inNew("a", "10.0.0.0/24", 0), inNew("b", "10.0.0.0/24", 1)])],
    finds: [],
  },
  {
    rule: "NET-07",
    name: "a range that a deleted subnet had",
    plans: [
      planOf([
        changeOf("subnet", subnet("10.0.0.0/24"), undefined),
        changeOf("subnet", undefined, subnet("10.0.0.0/24", "b")),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-07",
    name: "a subnet that is too small",
    plans: [
      planOf([
        changeOf("subnet", undefined, subnet("10.0.0.0/30")),
        changeOf(
          "instance",
          undefined,
          { ...instance, subnetId: UNKNOWN },
          { dependsOn: ["kcloud_subnet.a"] },
        ),
      ]),
    ],
    finds: ["has room for 0 objects, and 1 are planned in it"],
  },
  {
    rule: "NET-07",
    name: "a VPC with a small primary subnet, and instances in another one",
    plans: [
      planOf([
        changeOf("vpc", undefined, { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/30" } }),
        changeOf(
          "instance",
          undefined,
          { ...instance, vpcId: UNKNOWN, subnetId: UNKNOWN },
          { dependsOn: ["kcloud_vpc.net", "kcloud_subnet.a"] },
        ),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-07",
    name: "a new subnet that overlaps the primary subnet of its VPC",
    plans: [
      planOf([
        unchanged(
          "vpc",
          { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/24" } },
          { id: vpcId },
        ),
        changeOf("subnet", undefined, subnet("10.0.0.0/25", "b")),
      ]),
    ],
    finds: ['overlaps 10.0.0.0/24 of vpc "net"'],
  },

  {
    rule: "NET-09",
    name: "a pod with a notebook",
    plans: [planOf([changeOf("ai-pod", undefined, { ...pod, jupyterNotebook: true })])],
    finds: ["exposes a Jupyter notebook"],
  },
  {
    rule: "NET-09",
    name: "a pod that gets another port",
    plans: [
      planOf([changeOf("ai-pod", { ...pod, exposeTcpPorts: [80] }, { ...pod, exposeTcpPorts: [80, 9999] })]),
    ],
    finds: ["exposes port 9999 by TCP"],
  },
  {
    rule: "NET-09",
    name: "a pod that loses a port",
    plans: [
      planOf([changeOf("ai-pod", { ...pod, exposeTcpPorts: [80, 9999] }, { ...pod, exposeTcpPorts: [80] })]),
    ],
    finds: [],
  },
  {
    rule: "NET-09",
    name: "a pod that exposes nothing",
    plans: [planOf([changeOf("ai-pod", undefined, pod)])],
    finds: [],
  },

  {
    rule: "NET-10",
    name: "a web server",
    plans: [planOf([created(rule(everywhere, 443))])],
    finds: ["opens port 443 of tcp to 0.0.0.0/0"],
  },
  {
    rule: "NET-10",
    name: "a half of all addresses",
    plans: [planOf([created(rule("0.0.0.0/1", 443))])],
    finds: ["opens port 443 of tcp to 0.0.0.0/1"],
  },
  {
    rule: "NET-10",
    name: "an instance that joins the group of web servers",
    plans: [
      planOf([
        kept(rule(everywhere, 443)),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ]),
    ],
    finds: ['Instance "web" joins a security group that allows every address to reach port 443.'],
  },
  {
    rule: "NET-10",
    name: "a sensitive port, which is NET-01",
    plans: [planOf([created(rule(everywhere, 22))])],
    finds: [],
  },
  {
    rule: "NET-10",
    name: "many ports, which is NET-02",
    plans: [planOf([created(rule(everywhere, 12_000, { portRangeMax: 12_900 }))])],
    finds: [],
  },
  {
    rule: "NET-10",
    name: "a port that was open before",
    plans: [planOf([kept(rule(everywhere, 443)), created(rule(everywhere, 443))])],
    finds: [],
  },
  {
    rule: "NET-10",
    name: "a port that a network reaches",
    plans: [planOf([created(rule("192.0.2.0/24", 443))])],
    finds: [],
  },
  {
    rule: "NET-10",
    name: "ICMP, which has no ports",
    plans: [planOf([created(rule(everywhere, null, { protocol: "icmp" }))])],
    finds: [],
  },

  {
    rule: "NET-09",
    name: "a pod whose ports follow from another object",
    plans: [
      planOf([
        changeOf(
          "ai-pod",
          undefined,
          { ...pod, exposeHttpPorts: UNKNOWN },
          { originsOf: () => [{ address: "terraform_data.a", attribute: "output" }] },
        ),
      ]),
    ],
    finds: [{ severity: "high", confidence: "likely", text: "known only after the apply" }],
  },
  {
    rule: "NET-09",
    name: "a pod whose template decides its ports",
    plans: [planOf([changeOf("ai-pod", undefined, { ...pod, exposeHttpPorts: UNKNOWN })])],
    finds: [
      {
        severity: "medium",
        confidence: "needs a live check",
        text: 'The ports of ai pod "train" that are open to every address are known only after the apply',
      },
    ],
  },
  {
    rule: "NET-11",
    name: "a deleted rule",
    plans: [planOf([deleted(rule("10.0.0.0/8"))])],
    finds: ["is deleted: its traffic is blocked from then on."],
  },
  {
    rule: "NET-11",
    name: "a deleted rule whose traffic another one allows",
    plans: [planOf([deleted(rule("10.0.0.0/8")), kept(rule("10.0.0.0/8", null))])],
    finds: [],
  },
  {
    rule: "NET-11",
    name: "a rule that is deleted with its group",
    plans: [
      planOf([
        deleted({ ...rule("10.0.0.0/8"), securityGroupId: "security-group-web-id" }),
        changeOf("security-group", group, undefined),
      ]),
    ],
    finds: [],
  },
  ...[
    { to: undefined, name: "is detached", text: "is detached from its port", confidence: "proven" },
    { to: "port-2", name: "moves", text: "is moved to another port", confidence: "proven" },
    { to: UNKNOWN, name: "may move", text: "may be moved to another port", confidence: "likely" },
  ].map(({ to, name, ...find }) => ({
    rule: "NET-12",
    name: `a floating IP that ${name}`,
    plans: [
      planOf([
        changeOf("floating-ip", floating, {
          ...floating,
          portId: (to ?? null) as Value,
        }),
      ]),
    ],
    finds: [find],
  })),
  {
    rule: "NET-12",
    name: "a floating IP that is attached for the first time, or deleted",
    plans: [
      planOf([
        changeOf("floating-ip", { ...floating, portId: null }, floating),
        changeOf("floating-ip", floating, undefined),
      ]),
    ],
    finds: [],
  },
  {
    rule: "NET-09",
    name: "a pod with a notebook whose other ports the template decides",
    plans: [
      planOf([
        changeOf("ai-pod", undefined, {
          ...{ name: "train", templateId: 1, jupyterNotebook: true },
          ...{ exposeHttpPorts: UNKNOWN, exposeTcpPorts: UNKNOWN },
        }),
      ]),
    ],
    finds: [
      "exposes a Jupyter notebook",
      { severity: "medium", confidence: "needs a live check", text: "known only after the apply" },
    ],
  },
  ...([{ direction: UNKNOWN }, { protocol: UNKNOWN }] as readonly Values[]).map((hidden) => ({
    rule: "NET-01",
    name: `a small range whose ${Object.keys(hidden).join()} is unknown, which completes a large one`,
    plans: [
      planOf([created(rule("64.0.0.0/5"), "one"), created({ ...rule("72.0.0.0/5"), ...hidden }, "other")]),
    ],
    finds: [{ severity: "high" as const, confidence: "likely", text: "may open port 22 to 72.0.0.0/5" }],
  })),
];
