import * as z from "zod";
import { type OperationResponse, Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional, text, withAliases } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import { parseCidr } from "./cidr.ts";
import {
  groupModel,
  insertRule,
  type Rule,
  type RuleData,
  requireGroup,
  requireRule,
  requireSameVpc,
  type SecurityGroup,
} from "./security-group-model.ts";
import { requireReadyVpc, requireVpc } from "./vpc-model.ts";

const spellings = { any: ["ipv4", "ipv6", "IPv4", "IPv6"], lower: ["ipv4", "ipv6"], title: ["IPv4", "IPv6"] };

function checkEthertype(cloud: Cloud, written: string): void {
  const { ethertypeCase } = cloud.settings.assume;
  const text = ethertypeCase === "any" ? written.toLowerCase() : written;
  const accepted = spellings[ethertypeCase];
  if (!accepted.includes(text)) throw new Refusal(400, `ethertypes: must be one of ${accepted.join(", ")}`);
}

function checkProtocol(cloud: Cloud, written: string): void {
  const protocol = written.toLowerCase();
  const accepted = ["tcp", "udp", "icmp", "all"];
  if (!accepted.includes(protocol) && !(protocol === "any" && cloud.decide("ruleProtocolAny")))
    throw new Refusal(400, `protocol: must be one of ${accepted.join(", ")}`);
}

/** Validates the port range: the service requires 1 or more, even for icmp and all (docs/contract.md#3). */
function checkPorts(cloud: Cloud, min: number, max: number): void {
  const least = Math.min(min, max) < 1 && cloud.decide("rulePortZero") ? 0 : 1;
  if (min < least || min > 65_535) throw new Refusal(400, `portMinRange: must be from ${least} to 65535`);
  if (max < least || max > 65_535) throw new Refusal(400, `portMaxRange: must be from ${least} to 65535`);
  if (min > max) throw new Refusal(400, "portMinRange: must not be above portMaxRange");
}

function checkRemote(prefix: string, ethertype: string): void {
  const cidr = parseCidr(prefix);
  if (!cidr) throw new Refusal(400, "remoteIPPrefix: not a CIDR such as 10.0.0.0/24");
  if (`ipv${cidr.version}` !== ethertype.toLowerCase())
    throw new Refusal(400, `remoteIPPrefix: is IPv${cidr.version}, the ethertype is not`);
}

function checkRule(cloud: Cloud, data: RuleData): void {
  checkEthertype(cloud, data.ethertypes);
  checkProtocol(cloud, data.protocol);
  checkPorts(cloud, data.portMinRange, data.portMaxRange);
  checkRemote(data.remoteIPPrefix, data.ethertypes);
}

/** Builds the response of a create in the shape that the switches select (docs/contract.md#3). */
function createdRule(cloud: Cloud, rule: Rule): Record<string, unknown> {
  const { ruleCreateShape, ruleId } = cloud.settings.assume;
  const summary = { message: "rule created", status: "success" };
  const id = ruleId === "krn" ? rule.krn : uuidOf(rule.krn);
  const both = ruleId === "both";
  switch (ruleCreateShape) {
    case "result":
      return { ...summary, result: { id, ...(both && { krn: rule.krn }) } };
    case "top":
      return { id, ...(both && { krn: rule.krn }), ...summary };
    case "named":
      return { ...summary, ruleid: id, ...(both && { rulekrn: rule.krn }) };
  }
}

const createRule = operation({
  name: "create_rule",
  method: "POST",
  path: "/securityGroup/v1/rule",
  section: "3",
  source: "seed",
  headers: regional,
  body: withAliases(
    {
      ethertype: "ethertypes",
      port_range_min: "portMinRange",
      port_range_max: "portMaxRange",
      remote_ip_prefix: "remoteIPPrefix",
    },
    z.strictObject({
      direction: z.enum(["ingress", "egress"]),
      ethertypes: text,
      protocol: text,
      portMinRange: z.int(),
      portMaxRange: z.int(),
      remoteIPPrefix: text,
      vpcid: text.optional(),
      description: z.string().optional(),
    }),
  ),
  handle(cloud, { headers, body }) {
    checkRule(cloud, body);
    const region = headers["x-region"];
    // docs/contract.md#16.1: the form of the seed document has no VPC; the rule gets that of its first attachment.
    const vpc = body.vpcid === undefined ? undefined : requireReadyVpc(cloud, body.vpcid, region).krn;
    const rule = insertRule(cloud, { region, vpc, groups: [] }, body);
    return { status: 201, body: createdRule(cloud, rule) };
  },
});

const attachment = z.strictObject({ ruleid: text, securityid: text, vpcid: text });

/** Returns rule, group and VPC of an attachment; both must belong to the VPC. */
function requireBoth(cloud: Cloud, body: z.output<typeof attachment>, region: string) {
  const vpc = requireVpc(cloud, body.vpcid, region);
  const group = requireGroup(cloud, body.securityid, region);
  const rule = requireRule(cloud, body.ruleid, region);
  requireSameVpc(group, vpc, `security group ${group.name}`);
  if (rule.parents.length > 0) requireSameVpc(rule, vpc, `rule ${rule.name}`);
  return { vpc, group, rule };
}

/** Handles an attach or detach that changes nothing as the switch selects. */
function unchangedResponse(cloud: Cloud, rule: Rule, group: SecurityGroup, state: string): OperationResponse {
  const message = `rule ${rule.name} is ${state} security group ${group.name}`;
  const status = cloud.settings.assume.repeatedAttach;
  if (status !== 200) throw new Refusal(status, message);
  return { status, body: { message, status: "success" } };
}

const attachRule = operation({
  name: "attach_rule",
  method: "POST",
  path: "/securityGroup/v1/attachrule",
  section: "3",
  source: "seed",
  headers: regional,
  body: attachment,
  handle(cloud, { headers, body }) {
    const { vpc, group, rule } = requireBoth(cloud, body, headers["x-region"]);
    if (rule.groups.includes(group.krn)) return unchangedResponse(cloud, rule, group, "already attached to");
    rule.parents = [vpc.krn];
    rule.groups = [...rule.groups, group.krn];
    rule.updatedAt = cloud.now;
    return { status: 200, body: { message: "rule attached", status: "success" } };
  },
});

const detachRule = operation({
  name: "detach_rule",
  method: "POST",
  path: "/securityGroup/v1/deattachrule",
  section: "3",
  source: "seed",
  headers: regional,
  body: attachment,
  handle(cloud, { headers, body }) {
    const { group, rule } = requireBoth(cloud, body, headers["x-region"]);
    if (!rule.groups.includes(group.krn)) return unchangedResponse(cloud, rule, group, "not attached to");
    rule.groups = rule.groups.filter((krn) => krn !== group.krn);
    rule.updatedAt = cloud.now;
    return { status: 200, body: { message: "rule detached", status: "success" } };
  },
});

/** Returns true when one of the rule's groups still exists: deleting a group keeps its rules. */
function isAttached(cloud: Cloud, rule: Rule): boolean {
  return existing(cloud, groupModel(cloud).all()).some((group) => rule.groups.includes(group.krn));
}

const deleteRule = operation({
  name: "delete_rule",
  method: "DELETE",
  path: "/securityGroup/v1/rule/{rule}",
  section: "3",
  source: "seed",
  headers: regional,
  handle(cloud, { headers, path }) {
    const rule = requireRule(cloud, path.rule, headers["x-region"]);
    if (isAttached(cloud, rule) && cloud.decide("attachedRuleDelete") === "refuse") {
      throw new Refusal(409, `rule ${rule.name} is attached to a security group; detach it first`);
    }
    deleteResource(cloud, rule, 0);
    return { status: 204 };
  },
});

/** Rules of security groups. They have no effect until attached and are readable only in the group list. */
export const securityGroupRuleKind: ResourceKind = {
  name: "security_group_rule",
  operations: [createRule, attachRule, detachRule, deleteRule],
};
