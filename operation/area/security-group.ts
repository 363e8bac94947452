import * as z from "zod/mini";
import { ipVersionOf } from "../../provider/core/ip-address.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import { field } from "../../provider/definition/field.ts";
import { cidr, wholeNumber } from "../../provider/definition/validator.ts";
import { groupList, groupRoutes, ruleRoutes } from "../../resources/wire/security-group.ts";
import { operation } from "../operation.ts";
import {
  acceptAny,
  idOf,
  limit,
  optionalNumber,
  optionalText,
  requiredText,
  vpcId,
  workFields,
} from "../parameter.ts";

const section = "3";
const securityGroupId = idOf("security-group", "ID of the security group.");
const ruleId = requiredText("ID of the rule.");
const portOf = (about: string, standard: number) =>
  field(z._default(wholeNumber(0).check(z.maximum(65_535)), standard), about);
const attachment = (at: {
  readonly ruleId: string;
  readonly securityGroupId: string;
  readonly vpcId: string;
}) => ({ body: { ruleid: at.ruleId, securityid: at.securityGroupId, vpcid: at.vpcId } });

/** Operations of security groups and their rules. */
export const securityGroup = {
  createSecurityGroup: operation(groupRoutes.create, {
    section,
    about: "Creates a security group in a VPC.",
    parameters: {
      vpcId,
      name: requiredText("Name of the security group."),
      description: optionalText("Free-text description of the security group."),
      type: optionalText("Kind of the security group, such as `lb`."),
    },
    request: ({ vpcId, name, description, type }) => ({ body: { name, description, type, vpcid: vpcId } }),
  }),
  listSecurityGroups: operation(groupList, {
    section,
    about: "Lists the security groups of a VPC with the IDs of their rules, in pages.",
    parameters: {
      vpcId,
      limit,
      offset: optionalNumber("Number of groups before the page."),
      page: optionalNumber("Number of the page, beginning with 1, instead of `offset`.", 1),
      sortBy: field(z.optional(z.enum(["createdAt", "name"])), "Field by which the groups are sorted."),
      sortOrder: field(z.optional(z.enum(["asc", "desc"])), "Order of the groups."),
    },
    rules: [
      {
        needs: ["offset", "page"],
        check: ({ offset, page }) =>
          offset !== undefined && page !== undefined
            ? {
                path: ["page"],
                problem: wording`conflicts with ${attribute("offset")}: set only one of them`,
              }
            : undefined,
      },
    ],
    request: ({ vpcId, ...query }) => ({ path: { vpc: vpcId }, query }),
    listing: { rows: ["result", "items"], page: { offset: "offset" }, size: "limit" },
  }),
  deleteSecurityGroup: operation(groupRoutes.delete, {
    section,
    about: "Deletes a security group that no port uses.",
    parameters: { securityGroupId },
    request: ({ securityGroupId }) => ({ path: { group: securityGroupId } }),
  }),
  createRule: operation(ruleRoutes.create, {
    section,
    about: "Creates a rule, which has no effect until it is attached to a security group.",
    parameters: {
      vpcId,
      direction: field(z.enum(["ingress", "egress"]), "Direction of the traffic."),
      ethertype: field(z.enum(["ipv4", "ipv6", "IPv4", "IPv6"]), "IP version of the traffic."),
      protocol: requiredText("Protocol of the traffic.", { known: ["tcp", "udp", "icmp", "all"] }),
      portRangeMin: portOf("First port of the range, also of a protocol without ports.", 1),
      portRangeMax: portOf("Last port of the range.", 65_535),
      remoteIpPrefix: field(cidr, "Address range of the other side in CIDR notation, such as `10.0.0.0/16`."),
      description: optionalText("Free-text description of the rule."),
    },
    rules: [
      {
        needs: ["portRangeMin", "portRangeMax"],
        check: ({ portRangeMin, portRangeMax }) =>
          portRangeMin > portRangeMax
            ? { path: ["portRangeMin"], problem: wording`must be at most ${attribute("portRangeMax")}` }
            : undefined,
      },
      {
        needs: ["ethertype", "remoteIpPrefix"],
        check: ({ ethertype, remoteIpPrefix }) =>
          ethertype.toLowerCase() === `ipv${ipVersionOf(remoteIpPrefix)}`
            ? undefined
            : { path: ["remoteIpPrefix"], problem: wording`does not match ${attribute("ethertype")}` },
      },
    ],
    request: ({ vpcId, ethertype, portRangeMin, portRangeMax, remoteIpPrefix, ...rule }) => ({
      body: {
        direction: rule.direction,
        ethertypes: ethertype,
        protocol: rule.protocol,
        portMinRange: portRangeMin,
        portMaxRange: portRangeMax,
        remoteIPPrefix: remoteIpPrefix,
        vpcid: vpcId,
        description: rule.description,
      },
    }),
  }),
  attachRule: operation(ruleRoutes.attach, {
    section,
    about: "Attaches a rule to a security group.",
    parameters: { vpcId, ruleId, securityGroupId },
    request: attachment,
    also: workFields,
  }),
  detachRule: operation(ruleRoutes.detach, {
    section,
    about: "Detaches a rule from a security group; the rule still exists then.",
    parameters: { vpcId, ruleId, securityGroupId },
    request: attachment,
    also: workFields,
  }),
  deleteRule: operation(ruleRoutes.delete, {
    section,
    about: "Deletes a rule that is attached to no security group.",
    parameters: { ruleId },
    request: ({ ruleId }) => ({ path: { rule: ruleId }, headers: acceptAny }),
  }),
};
