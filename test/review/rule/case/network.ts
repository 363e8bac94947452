import { UNKNOWN, type Value, type Values } from "../../../../provider/core/value.ts";
import type { Change } from "../../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { casesOf, type RuleCase } from "./case.ts";

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
/** Returns an unchanged rule of Pulumi, whose outputs still name the values that its import did not compare. */
function storedByPulumi(values: Values): Change {
  const change = unchanged(kind, values, { ...at("found"), engine: "pulumi" });
  const unread = { __unread: ["remoteIpPrefix"] };
  return { ...change, before: { ...change.before, ...unread }, after: { ...change.after, ...unread } };
}
/** Returns the change that records the content of an imported rule, which no response shows. */
const recorded = (values: Values) =>
  changeOf(
    kind,
    { vpcId, securityGroupId: "group-1", region: "north" },
    { ...values, region: "north" },
    {
      ...at("found"),
      ...{ action: "update", importedId: "rule-1", forcedBy: [] },
    },
  );
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
  ...casesOf("NET-01", [
    ["SSH from everywhere", created(rule(everywhere)), "opens port 22 to 0.0.0.0/0: SSH (22)"],
    [
      "SSH from everywhere by IPv6",
      created(rule("::/0", 22, { ethertype: "IPv6" })),
      "opens port 22 to ::/0",
    ],
    [
      "SSH from all routed IPv6 addresses",
      created(rule("2000::/3", 22, { ethertype: "IPv6" })),
      "opens port 22 to ::/0",
    ],
    ["SSH from a private network", created(rule("10.0.0.0/8")), []],
    ["SSH from local IPv6 addresses", created(rule("fc00::/7", 22, { ethertype: "IPv6" })), []],
    ["HTTPS from everywhere", created(rule(everywhere, 443)), []],
    ["outgoing traffic", created(rule(everywhere, 22, { direction: "egress" })), []],
    ["ICMP", created(rule(everywhere, null, { protocol: "icmp" })), []],
    ["every protocol", created(rule(everywhere, null, { protocol: "all" })), "opens ports 1 to 65535"],
    [
      "every protocol by another name",
      created(rule(everywhere, null, { protocol: "ANY" })),
      "opens ports 1 to 65535",
    ],
    [
      "a range of ports across a sensitive one",
      created(rule(everywhere, 20, { portRangeMax: 30 })),
      "SSH (22), Telnet (23), SMTP (25)",
    ],
    ["a range between sensitive ports", created(rule(everywhere, 26, { portRangeMax: 110 })), []],
    [
      "a range that grows to everywhere",
      changeOf(kind, rule("10.0.0.0/8"), rule(everywhere)),
      "opens port 22",
    ],
    ["a range that shrinks", changeOf(kind, rule(everywhere), rule("10.0.0.0/8")), []],
    [
      "a rule that is replaced with the same content",
      changeOf(kind, rule(everywhere), rule(everywhere), { action: "replace" }),
      [],
    ],
    [
      "a rule that another one of the group replaces",
      [deleted(rule(everywhere), "old"), created(rule(everywhere), "new")],
      [],
    ],
    [
      "a rule that was in another group",
      [
        deleted(rule(everywhere), "old"),
        created(rule(everywhere, 22, { securityGroupId: "group-2" }), "new"),
      ],
      "opens port 22",
    ],
    [
      "an open rule that moves to another group",
      changeOf(kind, rule(everywhere), rule(everywhere, 22, { securityGroupId: "group-2" })),
      "opens port 22",
    ],
    [
      "a closed rule that moves to another group",
      changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 22, { securityGroupId: "group-2" })),
      [],
    ],
    [
      "two halves of all addresses",
      [created(rule("0.0.0.0/1"), "a"), created(rule("128.0.0.0/1"), "b")],
      ["opens port 22", "opens port 22"],
    ],
    [
      "the second half of all addresses",
      [kept(rule("0.0.0.0/1")), created(rule("128.0.0.0/1"))],
      { severity: "high", text: "opens port 22 to 128.0.0.0/1" },
    ],
    [
      "the second half of all addresses at some of the ports",
      [kept(rule("0.0.0.0/1")), created(rule("128.0.0.0/1", 1, { portRangeMax: 100 }))],
      { severity: "high", text: "opens ports 1 to 100 to 128.0.0.0/1" },
    ],
    [
      "halves that become one rule",
      [deleted(rule("0.0.0.0/1"), "a"), deleted(rule("128.0.0.0/1"), "b"), created(rule(everywhere))],
      [],
    ],
    [
      "halves in two groups",
      [
        created(rule("0.0.0.0/1"), "a"),
        created(rule("128.0.0.0/1", 22, { securityGroupId: "group-2" }), "b"),
      ],
      ["to 0.0.0.0/1", { severity: "high", text: "to 128.0.0.0/1" }],
    ],
  ]),
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
  ...casesOf("NET-01", [
    [
      "small ranges that are many addresses together, and one that is known only after the apply",
      ["8.0.0.0/6", "16.0.0.0/6", "24.0.0.0/6", "32.0.0.0/6", UNKNOWN as Value].map((range, index) =>
        changeOf(kind, undefined, rule("10.0.0.0/8", 22, { remoteIpPrefix: range }), {
          address: `kcloud_security_group_rule.r[${index}]`,
        }),
      ),
      [
        ...[8, 16, 24, 32].map((first) => ({ severity: "high" as const, text: `${first}.0.0.0/6` })),
        { confidence: "likely", text: "0.0.0.0/0" },
      ],
    ],
    [
      "quarters of all addresses in a group that the plan creates",
      [
        changeOf("security-group", undefined, group, { address: "kcloud_security_group.web" }),
        ...["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"].map((range, index) =>
          changeOf(kind, undefined, rule(range, 22, { securityGroupId: UNKNOWN }), {
            address: `kcloud_security_group_rule.r[${index}]`,
            dependsOn: ["kcloud_security_group.web"],
            originsOf: () => [{ address: "kcloud_security_group.web", attribute: "id" }],
          }),
        ),
      ],
      ["to 0.0.0.0/0", "to 0.0.0.0/0", "to 0.0.0.0/0", "to 0.0.0.0/0"],
    ],
  ]),
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
  ...casesOf("NET-01", [
    [
      "a range of an unknown IP version, in a group that every IPv4 address reaches",
      [
        unchanged(kind, rule("0.0.0.0/0", 22), { address: "kcloud_security_group_rule.old" }),
        changeOf(kind, undefined, rule("10.0.0.0/8", 22, { remoteIpPrefix: UNKNOWN, ethertype: UNKNOWN })),
      ],
      { confidence: "likely", text: "may open port 22 to ::/0" },
    ],
    ["half of all addresses", created(rule("0.0.0.0/1")), "to 0.0.0.0/1"],
    [
      "a port that is known only after the apply",
      created({ ...rule(everywhere, null), portRangeMin: UNKNOWN, portRangeMax: UNKNOWN }),
      { confidence: "likely", text: "may open" },
    ],
    [
      "a range that hangs on an address which the plan creates",
      [
        changeOf("floating-ip", undefined, { vpcId: "vpc-1" }),
        changeOf(
          kind,
          undefined,
          { ...rule(everywhere), remoteIpPrefix: UNKNOWN },
          { originsOf: () => [{ address: "kcloud_floating_ip.it", attribute: "address" }] },
        ),
      ],
      { severity: "high", confidence: "likely", text: "may open port 22" },
    ],
    [
      "an instance that may join any group",
      changeOf("instance", instance, { ...instance, securityGroups: UNKNOWN }),
      { severity: "high", confidence: "likely", text: "security_groups is known only after the apply" },
    ],
    [
      "an instance that joins a group which no plan shows",
      changeOf("instance", instance, { ...instance, securityGroups: ["group-1", "group-9"] }),
      { severity: "medium", confidence: "needs a live check", text: "joins group-9" },
    ],
    ["the port of SSH by UDP, which no login uses", created(rule(everywhere, 22, { protocol: "udp" })), []],
    [
      "the port of SNMP by its protocol's number",
      created(rule(everywhere, 161, { protocol: "17" })),
      "SNMP (161)",
    ],
    [
      "the port of a mail server, which is neither a login nor a database",
      created(rule(everywhere, 25)),
      { severity: "high", text: "SMTP (25)" },
    ],
  ]),
  ...["icmp", "ICMPv6", "gre", "47"].map((protocol) => ({
    rule: "NET-01",
    name: `the protocol ${protocol}, which has no ports`,
    plans: [planOf([created(rule(everywhere, null, { protocol }))])],
    finds: [],
  })),
  ...casesOf("NET-06", [
    [
      "an empty subnet that is replaced",
      changeOf("subnet", subnet("10.0.0.0/24"), subnet("10.0.1.0/24")),
      { severity: "medium", text: 'Subnet "a" is replaced; the plan shows no objects in it.' },
    ],
  ]),
  ...casesOf("NET-01", [
    [
      "ranges that together are all addresses but those of multicast",
      ["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"].map((range, at) => created(rule(range), `r${at}`)),
      ["to 0.0.0.0/0: SSH (22)", "to 0.0.0.0/0: SSH (22)", "to 0.0.0.0/0: SSH (22)"],
    ],
    [
      "many small ranges that together are a sixteenth of all addresses",
      Array.from({ length: 16 }, (_, at) =>
        created(rule(`${16 + at}.0.0.0/8`), `r${String(at).padStart(2, "0")}`),
      ),
      Array.from({ length: 16 }, () => ({
        severity: "high" as const,
        text: "and with other rules to 7 % of all public addresses",
      })),
    ],
    [
      "small ranges that together are a sixteenth of all addresses, each in two rules",
      Array.from({ length: 32 }, (_, at) => created(rule(`${16 + (at >> 1)}.0.0.0/8`), `r${10 + at}`)),
      Array.from({ length: 32 }, () => ({ severity: "high" as const, text: "to 7 % of all public" })),
    ],
    [
      "private and reserved ranges",
      ["10.0.0.0/8", "224.0.0.0/3", "127.0.0.0/8"].map((range, at) => created(rule(range), `r${at}`)),
      [],
    ],
    [
      "a range that is known only after the apply",
      created({ ...rule(everywhere), remoteIpPrefix: UNKNOWN }),
      {
        confidence: "likely",
        text: "may open port 22 to 0.0.0.0/0: SSH (22) (remote_ip_prefix is known only after the apply).",
      },
    ],
    ["a forgotten rule", changeOf(kind, rule(everywhere), undefined, { action: "forget" }), []],
    ["an imported open rule", unchanged(kind, rule(everywhere), { importedId: "rule-1" }), []],
    [
      "an imported rule that is recorded as open, since later plans count it as open before",
      recorded(rule(everywhere)),
      {
        confidence: "likely",
        text: "may open port 22 to 0.0.0.0/0: SSH (22) (direction, protocol, port_range_min, port_range_max, remote_ip_prefix are not shown by the API).",
      },
    ],
    [
      "a new rule beside an imported one that is recorded as closed",
      [recorded(rule("10.0.0.0/8")), created(rule(everywhere))],
      "opens port 22 to 0.0.0.0/0",
    ],
    [
      "an imported rule that the same plan moves to another group",
      recorded(rule("10.0.0.0/8", 443, { securityGroupId: "group-7" })),
      {
        confidence: "likely",
        text: "may open ports 1 to 65535 to 0.0.0.0/0",
      },
    ],
    [
      "a new rule of Pulumi beside one whose recorded content an earlier import did not compare",
      [storedByPulumi(rule(everywhere)), created(rule(everywhere))],
      "opens port 22 to 0.0.0.0/0",
    ],
    [
      "an instance that joins the group of an imported rule whose content the API does not show",
      [
        recorded(rule("10.0.0.0/8")),
        changeOf(
          "instance",
          { ...instance, securityGroups: [] },
          { ...instance, securityGroups: ["group-1"] },
        ),
      ],
      { severity: "medium", confidence: "needs a live check", text: "no plan shows the rules of this group" },
    ],
    [
      "an instance that joins an open group",
      [kept(rule(everywhere)), changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance)],
      {
        severity: "high",
        text: 'Instance "web" joins a security group that allows every address to reach SSH (22).',
      },
    ],
    [
      "an instance that joins a closed group",
      [
        kept(rule("10.0.0.0/8")),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ],
      [],
    ],
    [
      "an instance in an open group that changes otherwise",
      [kept(rule(everywhere)), changeOf("instance", instance, { ...instance, powerState: "stopped" })],
      [],
    ],
    [
      "an instance that joins an open group, and is in another one with the same port",
      [
        kept(rule(everywhere)),
        kept(rule(everywhere, 22, { securityGroupId: "group-2" }), "other"),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ],
      [],
    ],
    [
      "a replaced instance that stays in an open group",
      [kept(rule(everywhere)), changeOf("instance", instance, { ...instance, instanceType: "c1.large" })],
      [],
    ],
    [
      "a small range next to one of every address",
      [created(rule("10.0.0.0/8"), "small"), created(rule(everywhere), "all")],
      "opens port 22 to 0.0.0.0/0",
    ],
    [
      "a rule whose instances are named",
      [created(rule(everywhere)), unchanged("instance", instance)],
      'It reaches instance "web".',
    ],
  ]),
  ...casesOf("NET-02", [
    [
      "many ports",
      created(rule(everywhere, 8000, { portRangeMax: 8200 })),
      "opens ports 8000 to 8200 of tcp to 0.0.0.0/0",
    ],
    [
      "every protocol",
      created(rule(everywhere, null, { protocol: "all" })),
      "of every protocol to 0.0.0.0/0",
    ],
    ["a hundred ports", created(rule(everywhere, 8001, { portRangeMax: 8100 })), []],
    ["ICMP", created(rule(everywhere, null, { protocol: "icmp" })), []],
    ["many ports from a private network", created(rule("10.0.0.0/8", 1, { portRangeMax: 65535 })), []],
  ]),
  ...casesOf("NET-03", [
    ["a range that grows", changeOf(kind, rule("10.0.1.0/24"), rule("10.0.0.0/16")), "256 → 65536 addresses"],
    ["a range that shrinks", changeOf(kind, rule("10.0.0.0/16"), rule("10.0.1.0/24")), []],
    ["another range of the same size", changeOf(kind, rule("10.0.0.0/16"), rule("10.1.0.0/16")), []],
    [
      "the same range in another spelling",
      changeOf(kind, rule("10.0.0.0/16"), rule("10.0.7.7/16"), { action: "replace" }),
      [],
    ],
  ]),
  ...casesOf("NET-04", [
    [
      "a rule that moves",
      changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 22, { securityGroupId: "group-2" })),
      "moves to another group",
    ],
    [
      "a rule that is replaced with the same content",
      changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8"), { action: "replace", order: "delete first" }),
      { severity: "low", text: "is deleted before its replacement exists" },
    ],
    [
      "a rule that is replaced by one with other traffic",
      changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/8", 23), {
        action: "replace",
        order: "delete first",
      }),
      "is deleted before its replacement exists",
    ],
    [
      "a rule that is created first",
      changeOf(kind, rule("10.0.0.0/8"), rule("10.0.0.0/16"), { order: "create first" }),
      [],
    ],
    ["a new rule", created(rule("10.0.0.0/8")), []],
  ]),
  ...casesOf("NET-05", [
    [
      "an instance with a public address is replaced",
      changeOf("instance", { ...instance, ...address }, { ...instance, instanceType: "c1.large" }),
      "loses its public address 192.0.2.7",
    ],
    [
      "a floating IP is released",
      changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.8" }, undefined),
      "loses its public address 192.0.2.8",
    ],
    [
      "a floating IP is released while its instance stays",
      [
        changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.7" }, undefined),
        unchanged("instance", { ...instance, ...address }),
      ],
      "Floating ip",
    ],
    [
      "an instance is deleted and its floating IP stays",
      [
        changeOf("instance", { ...instance, ...address }, undefined),
        unchanged("floating-ip", { vpcId, name: "front", address: "192.0.2.7" }),
      ],
      [],
    ],
    ["an instance without a public address", changeOf("instance", instance, undefined), []],
    [
      "a floating IP that is forgotten",
      changeOf("floating-ip", { vpcId, name: "front", address: "192.0.2.8" }, undefined, {
        action: "forget",
      }),
      [],
    ],
  ]),
  ...casesOf("NET-06", [
    [
      "a VPC with objects is replaced",
      [
        changeOf("vpc", { name: "net" }, { name: "other" }, { id: vpcId, name: "net" }),
        unchanged("subnet", subnet("10.0.0.0/24")),
      ],
      'Vpc "net" is replaced, with 1 object in it: subnet "a".',
    ],
    [
      "an empty VPC is deleted",
      changeOf("vpc", { name: "net" }, undefined),
      { severity: "medium", text: "the plan shows no objects in it" },
    ],
    ["a VPC whose description is the same", unchanged("vpc", { name: "net" }), []],
    ["a security group is deleted", changeOf("security-group", group, undefined), []],
  ]),
  ...casesOf("NET-07", [
    [
      "a new subnet that overlaps another one",
      [unchanged("subnet", subnet("10.0.0.0/16")), changeOf("subnet", undefined, subnet("10.0.3.0/24", "b"))],
      '10.0.3.0/24 of subnet "b" overlaps 10.0.0.0/16',
    ],
    [
      "a new subnet next to another one",
      [unchanged("subnet", subnet("10.0.0.0/24")), changeOf("subnet", undefined, subnet("10.0.1.0/24", "b"))],
      [],
    ],
    [
      "equal ranges in two VPCs",
      [
        unchanged("subnet", subnet("10.0.0.0/24")),
        changeOf("subnet", undefined, { ...subnet("10.0.0.0/24", "b"), vpcId: "vpc-number-2" }),
      ],
      [],
    ],
    [
      "equal ranges in the VPCs of one block",
      [inNew("a", "10.0.0.0/24", 0), inNew("b", "10.0.0.0/24", 1)],
      [],
    ],
    [
      "a range that a deleted subnet had",
      [
        changeOf("subnet", subnet("10.0.0.0/24"), undefined),
        changeOf("subnet", undefined, subnet("10.0.0.0/24", "b")),
      ],
      [],
    ],
    [
      "a subnet that is too small",
      [
        changeOf("subnet", undefined, subnet("10.0.0.0/30")),
        changeOf(
          "instance",
          undefined,
          { ...instance, subnetId: UNKNOWN },
          { dependsOn: ["kcloud_subnet.a"] },
        ),
      ],
      "has room for 0 objects, and 1 are planned in it",
    ],
    [
      "a VPC with a small primary subnet, and instances in another one",
      [
        changeOf("vpc", undefined, { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/30" } }),
        changeOf(
          "instance",
          undefined,
          { ...instance, vpcId: UNKNOWN, subnetId: UNKNOWN },
          { dependsOn: ["kcloud_vpc.net", "kcloud_subnet.a"] },
        ),
      ],
      [],
    ],
    [
      "a new subnet that overlaps the primary subnet of its VPC",
      [
        unchanged(
          "vpc",
          { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/24" } },
          { id: vpcId },
        ),
        changeOf("subnet", undefined, subnet("10.0.0.0/25", "b")),
      ],
      'overlaps 10.0.0.0/24 of vpc "net"',
    ],
  ]),
  ...casesOf("NET-09", [
    [
      "a pod with a notebook",
      changeOf("ai-pod", undefined, { ...pod, jupyterNotebook: true }),
      "exposes a Jupyter notebook",
    ],
    [
      "a pod that gets another port",
      changeOf("ai-pod", { ...pod, exposeTcpPorts: [80] }, { ...pod, exposeTcpPorts: [80, 9999] }),
      "exposes port 9999 by TCP",
    ],
    [
      "a pod that loses a port",
      changeOf("ai-pod", { ...pod, exposeTcpPorts: [80, 9999] }, { ...pod, exposeTcpPorts: [80] }),
      [],
    ],
    ["a pod that exposes nothing", changeOf("ai-pod", undefined, pod), []],
  ]),
  ...casesOf("NET-10", [
    ["a web server", created(rule(everywhere, 443)), "opens port 443 of tcp to 0.0.0.0/0"],
    ["a half of all addresses", created(rule("0.0.0.0/1", 443)), "opens port 443 of tcp to 0.0.0.0/1"],
    [
      "an instance that joins the group of web servers",
      [
        kept(rule(everywhere, 443)),
        changeOf("instance", { ...instance, securityGroups: ["group-2"] }, instance),
      ],
      'Instance "web" joins a security group that allows every address to reach port 443.',
    ],
    ["a sensitive port, which is NET-01", created(rule(everywhere, 22)), []],
    ["many ports, which is NET-02", created(rule(everywhere, 12_000, { portRangeMax: 12_900 })), []],
    ["a port that was open before", [kept(rule(everywhere, 443)), created(rule(everywhere, 443))], []],
    ["a port that a network reaches", created(rule("192.0.2.0/24", 443)), []],
    ["ICMP, which has no ports", created(rule(everywhere, null, { protocol: "icmp" })), []],
  ]),
  ...casesOf("NET-09", [
    [
      "a pod whose ports follow from another object",
      changeOf(
        "ai-pod",
        undefined,
        { ...pod, exposeHttpPorts: UNKNOWN },
        { originsOf: () => [{ address: "terraform_data.a", attribute: "output" }] },
      ),
      { severity: "high", confidence: "likely", text: "known only after the apply" },
    ],
    [
      "a pod whose template decides its ports",
      changeOf("ai-pod", undefined, { ...pod, exposeHttpPorts: UNKNOWN }),
      {
        severity: "medium",
        confidence: "needs a live check",
        text: 'The ports of ai pod "train" that are open to every address are known only after the apply',
      },
    ],
  ]),
  ...casesOf("NET-11", [
    ["a deleted rule", deleted(rule("10.0.0.0/8")), "is deleted: its traffic is blocked from then on."],
    [
      "a deleted rule whose traffic another one allows",
      [deleted(rule("10.0.0.0/8")), kept(rule("10.0.0.0/8", null))],
      [],
    ],
    [
      "a rule that is deleted with its group",
      [
        deleted({ ...rule("10.0.0.0/8"), securityGroupId: "security-group-web-id" }),
        changeOf("security-group", group, undefined),
      ],
      [],
    ],
  ]),
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
  ...casesOf("NET-12", [
    [
      "a floating IP that is attached for the first time, or deleted",
      [
        changeOf("floating-ip", { ...floating, portId: null }, floating),
        changeOf("floating-ip", floating, undefined),
      ],
      [],
    ],
  ]),
  ...casesOf("NET-09", [
    [
      "a pod with a notebook whose other ports the template decides",
      changeOf("ai-pod", undefined, {
        ...{ name: "train", templateId: 1, jupyterNotebook: true },
        ...{ exposeHttpPorts: UNKNOWN, exposeTcpPorts: UNKNOWN },
      }),
      [
        "exposes a Jupyter notebook",
        { severity: "medium", confidence: "needs a live check", text: "known only after the apply" },
      ],
    ],
  ]),
  ...([{ direction: UNKNOWN }, { protocol: UNKNOWN }] as readonly Values[]).map((hidden) => ({
    rule: "NET-01",
    name: `a small range whose ${Object.keys(hidden).join()} is unknown, which completes a large one`,
    plans: [
      planOf([created(rule("64.0.0.0/5"), "one"), created({ ...rule("72.0.0.0/5"), ...hidden }, "other")]),
    ],
    finds: [{ severity: "high" as const, confidence: "likely", text: "may open port 22 to 72.0.0.0/5" }],
  })),
];
