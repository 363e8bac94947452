import { SecurityGroup, SecurityGroupRule, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const web = new SecurityGroup("web", { vpcId: shop.id });

const inWeb = { vpcId: shop.id, securityGroupId: web.id, remoteIpPrefix: "0.0.0.0/0" };

// Allows HTTP and HTTPS from any address.
const taken = [80, 443].map(
  (port) =>
    new SecurityGroupRule(`in-${port}`, {
      ...inWeb,
      direction: "ingress",
      protocol: "tcp",
      portRangeMin: port,
      portRangeMax: port,
    }),
);

// Allows all outgoing traffic: a rule without ports covers every port.
const out = new SecurityGroupRule("out", { ...inWeb, direction: "egress", protocol: "all" });

export const rules = [...taken.map(({ id }) => id), out.id];
