import type { Values } from "../../../provider/core/value.ts";
import { unchanged } from "../change-of.ts";

/** Rules of one security group, for the changes of a plan. */

export const rule = (port: number | undefined, range: string, more: Values = {}): Values => ({
  vpcId: "vpc-one",
  securityGroupId: "sg-web-id",
  direction: "ingress",
  protocol: port === undefined ? "icmp" : "tcp",
  ...(port === undefined ? {} : { portRangeMin: port, portRangeMax: port }),
  remoteIpPrefix: range,
  ...more,
});

export const kind = "security-group-rule";

export const at = (name: string) => ({ address: `rule.${name}`, id: `rule-${name}` });

export const web = unchanged(
  "security-group",
  { vpcId: "vpc-one", name: "web" },
  { address: "kcloud_security_group.web", id: "sg-web-id" },
);
