import type { Values } from "../../../../provider/core/value.ts";
import { changeOf, planOf } from "../../change-of.ts";
import type { RuleCase } from "./case.ts";

/** Returns a plan with a new rule that opens a port to every address. */
const opened = (port: number | null, more: Values = {}) =>
  planOf([
    changeOf("security-group-rule", undefined, {
      vpcId: "vpc-number-1",
      securityGroupId: "group-1",
      direction: "ingress",
      protocol: "tcp",
      ...(port === null ? {} : { portRangeMin: port, portRangeMax: port }),
      remoteIpPrefix: "0.0.0.0/0",
      ...more,
    }),
  ]);

export const sensitivePortCases: readonly RuleCase[] = [
  {
    rule: "NET-01",
    name: "a range of ports across a sensitive one",
    plans: [opened(20, { portRangeMax: 30 })],
    finds: ["SSH (22), Telnet (23), SMTP (25)"],
  },
  {
    rule: "NET-01",
    name: "a range between sensitive ports",
    plans: [opened(26, { portRangeMax: 110 })],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "the port of SSH by UDP, which no login uses",
    plans: [opened(22, { protocol: "udp" })],
    finds: [],
  },
  {
    rule: "NET-01",
    name: "the port of SNMP by its protocol's number",
    plans: [opened(161, { protocol: "17" })],
    finds: ["SNMP (161)"],
  },
  {
    rule: "NET-01",
    name: "the port of a mail server, which is neither a login nor a database",
    plans: [opened(25)],
    finds: [{ severity: "high", text: "SMTP (25)" }],
  },
  ...["icmp", "ICMPv6", "gre", "47"].map((protocol) => ({
    rule: "NET-01",
    name: `the protocol ${protocol}, which has no ports`,
    plans: [opened(null, { protocol })],
    finds: [],
  })),
];
