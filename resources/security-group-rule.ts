import * as z from "zod/mini";
import { CloudError, isConflict, isNotFound } from "../provider/core/error.ts";
import { ipVersionOf, sameCidr } from "../provider/core/ip-address.ts";
import { matchesMasked } from "../provider/core/krn.ts";
import { equalsIgnoreCase } from "../provider/core/string.ts";
import { assignment, attribute, attributeCode, wording } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr } from "../provider/definition/validator.ts";
import { unreadable } from "./fields/option.ts";
import {
  type Attachment,
  createdId,
  listGroups,
  ruleRoutes as routes,
  ruleIds,
} from "./wire/security-group.ts";

const firstPort = 1;
const lastPort = 65_535;
const portNumber = z.int().check(z.minimum(firstPort), z.maximum(lastPort));
const ethertype = z
  .string()
  .check(z.refine((value) => /^ipv[46]$/i.test(value), { error: "must be IPv4 or IPv6" }));

/** Returns the ranges that a rule may have: without one, every address of its IP version, or of both. */
function rangesOf(range: string | undefined, version: string | undefined): readonly string[] {
  if (range !== undefined) return [range];
  if (version === undefined) return ["0.0.0.0/0", "::/0"];
  return equalsIgnoreCase(version, "IPv6") ? ["::/0"] : ["0.0.0.0/0"];
}

export const securityGroupRule = defineResource({
  name: "security-group-rule",
  category: "network",
  about: "A rule of a security group, which allows traffic. The rule is attached to one group only.",
  timeouts: { create: 300, read: 120, update: 300, delete: 600 },
  parents: ["vpcId"],
  visibility: { readByListing: true, shownThrough: "securityGroupId" },
  // A value that is not known opens the most.
  opens: ({
    direction = "ingress",
    ethertype,
    protocol = "all",
    portRangeMin,
    portRangeMax,
    remoteIpPrefix,
  }) =>
    rangesOf(remoteIpPrefix, ethertype).map((range) => ({
      direction,
      protocol: equalsIgnoreCase(protocol, "any") ? "all" : protocol.toLowerCase(),
      firstPort: portRangeMin ?? firstPort,
      lastPort: portRangeMax ?? lastPort,
      range,
    })),
  // The API lists a rule only while it is attached to a group. A rule that is not listed was detached or deleted
  // outside the engine: the next apply deletes it, if it still exists, and creates it again, so that no detached rule
  // remains and the group has its rule again.
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the security group.", { references: "vpc" }),
    securityGroupId: field(z.string(), "ID of the security group to which the rule is attached.", {
      references: "security-group",
      change: "update",
      deferred: true,
      usage: "Changing this moves the rule, which is in neither group for a moment.",
    }),
    // Listings contain only the ids of rules (docs/contract.md#3).
    direction: field(z.enum(["ingress", "egress"]), "Direction of the traffic.", unreadable),
    ethertype: field(
      z._default(ethertype, "IPv4"),
      "IP version of the traffic: `IPv4` or `IPv6`, in any case.",
      { ...unreadable, same: equalsIgnoreCase },
    ),
    protocol: field(z.string(), "Protocol of the traffic, in any case.", {
      ...unreadable,
      known: ["tcp", "udp", "icmp", "all"],
      same: equalsIgnoreCase,
    }),
    portRangeMin: field(
      z.optional(portNumber),
      wording`First port of the range, required with ${attributeCode("portRangeMax")}. Default: all ports.`,
      { ...unreadable, wire: { of: (configured: number | undefined) => configured ?? firstPort } },
    ),
    portRangeMax: field(
      z.optional(portNumber),
      wording`Last port of the range, required with ${attributeCode("portRangeMin")}. Default: all ports.`,
      { ...unreadable, wire: { of: (configured: number | undefined) => configured ?? lastPort } },
    ),
    remoteIpPrefix: field(cidr, "Remote address range in CIDR notation, such as `0.0.0.0/0`.", {
      ...unreadable,
      same: sameCidr,
    }),
    description: field(z.optional(z.string()), "Free-text description of the rule.", unreadable),
  },
  rules: [
    {
      needs: ["portRangeMin", "portRangeMax"],
      check({ portRangeMin: min, portRangeMax: max }) {
        if (min === undefined && max === undefined) return undefined;
        if (min === undefined)
          return { path: ["portRangeMin"], problem: wording`is required with ${attribute("portRangeMax")}` };
        if (max === undefined)
          return { path: ["portRangeMax"], problem: wording`is required with ${attribute("portRangeMin")}` };
        return min > max
          ? {
              path: ["portRangeMin"],
              problem: wording`must not be above ${attribute("portRangeMax")}, ${max}`,
            }
          : undefined;
      },
    },
    {
      needs: ["ethertype", "remoteIpPrefix"],
      check({ ethertype, remoteIpPrefix }, isWritten) {
        const version = ipVersionOf(remoteIpPrefix);
        if (version === undefined || equalsIgnoreCase(ethertype, `IPv${version}`)) return undefined;
        const wanted = assignment("ethertype", `IPv${version}`);
        return isWritten("ethertype")
          ? {
              path: ["ethertype"],
              problem: wording`is ${ethertype}, but ${remoteIpPrefix} is an IPv${version} CIDR: set ${wanted}`,
            }
          : { path: ["remoteIpPrefix"], problem: wording`is an IPv${version} CIDR: add ${wanted}` };
      },
    },
  ],
})({
  /** Returns the attached rules: one row per rule and group. */
  async list({ api, region, vpcId }) {
    const groups = await listGroups(api, region, vpcId);
    return groups.flatMap(({ id: securityGroupId, rules }) =>
      (rules ?? []).map((id) => ({ id, vpcId, securityGroupId, region })),
    );
  },
  // A rule may be attached to several groups: only the row of the stored group is a complete state.
  whole: (row, { securityGroupId = row.securityGroupId }) =>
    row.securityGroupId === securityGroupId ? row : undefined,

  async create({ api, inputs }) {
    const kind = inputs.ethertype.toLowerCase();
    const answer = await makeRule(api, { ...inputs, ethertype: kind }).catch((error) => {
      // After a 400 nothing was created: retries with the other spelling of the ethertype (docs/contract.md#17.3).
      if (error instanceof CloudError && error.status === 400)
        return makeRule(api, { ...inputs, ethertype: kind.replace("ip", "IP") });
      throw error;
    });
    return { id: createdId(answer, ruleIds) };
  },

  async read({ recorded, ...rule }) {
    const groups = await holders(rule);
    const [first] = groups;
    if (first === undefined) return undefined;
    const { securityGroupId: recordedGroup = first } = recorded;
    const isOwn = groups.some((group) => matchesMasked(group, recordedGroup));
    return { vpcId: rule.vpcId, securityGroupId: isOwn ? recordedGroup : first, region: rule.region };
  },

  async update({ inputs: { securityGroupId }, prior, ...rule }) {
    // Detaches from the old group first: once the new group lists the rule, the move is complete.
    if (prior.securityGroupId !== undefined && prior.securityGroupId !== securityGroupId)
      await detach(rule, prior.securityGroupId);
    await rule.api.send(routes.attach, attachment(rule, securityGroupId));
  },

  async delete({ prior, ...rule }) {
    if (prior.securityGroupId !== undefined) await detach(rule, prior.securityGroupId);
    try {
      await rule.api.send(routes.delete, { path: { rule: rule.id }, headers: { accept: "*/*" } });
    } catch (error) {
      // The rule is attached to other groups too: detaches it there. The engine retries the delete after the conflict.
      if (isConflict(error)) for (const group of await holders(rule)) await detach(rule, group);
      throw error;
    }
  },
});

interface Content {
  readonly vpcId: string;
  readonly direction: string;
  readonly ethertype: string;
  readonly protocol: string;
  readonly portRangeMin?: number | undefined;
  readonly portRangeMax?: number | undefined;
  readonly remoteIpPrefix: string;
  readonly description?: string | undefined;
}

const makeRule = (api: Api, { vpcId, direction, ethertype, protocol, description, ...content }: Content) =>
  api.send(routes.create, {
    body: {
      direction,
      ethertypes: ethertype,
      protocol: protocol.toLowerCase(),
      // The API requires a port range even for protocols without ports (docs/contract.md#3).
      portMinRange: content.portRangeMin ?? firstPort,
      portMaxRange: content.portRangeMax ?? lastPort,
      remoteIPPrefix: content.remoteIpPrefix,
      vpcid: vpcId,
      description,
    },
  });

interface RulePlace {
  readonly api: Api;
  readonly id: string;
  readonly region: string;
  readonly vpcId: string;
}

const attachment = ({ id, vpcId }: RulePlace, group: string): { body: Attachment } => ({
  body: { ruleid: id, securityid: group, vpcid: vpcId },
});

/** Returns the ids of the groups to which a rule is attached. */
async function holders({ api, region, vpcId, id }: RulePlace): Promise<string[]> {
  const groups = await listGroups(api, region, vpcId);
  return groups.filter(({ rules }) => rules?.some((rule) => matchesMasked(rule, id))).map(({ id }) => id);
}

/** Detaches a rule from a group. Ignores errors for a rule that is not attached and for a group that no longer exists. */
async function detach(rule: RulePlace, group: string): Promise<void> {
  try {
    await rule.api.send(routes.detach, attachment(rule, group));
  } catch (error) {
    const already =
      isConflict(error) && !(await holders(rule)).some((holder) => matchesMasked(holder, group));
    if (!already && !isNotFound(error)) throw error;
  }
}
