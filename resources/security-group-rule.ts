import * as z from "zod/mini";
import { CloudError, isConflict, isNotFound } from "../provider/core/error.ts";
import { sameCidr } from "../provider/core/ip-address.ts";
import { sameId } from "../provider/core/krn.ts";
import { equalsIgnoreCase } from "../provider/core/string.ts";
import type { Api } from "../provider/definition/api.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr } from "../provider/definition/validator.ts";
import { created, createdId, listGroups, ruleIds } from "./wire/security-group.ts";

const firstPort = 1;
const lastPort = 65_535;
const port = z.number().check(z.int(), z.minimum(firstPort), z.maximum(lastPort));
const ethertype = z
  .string()
  .check(z.refine((value) => /^ipv[46]$/i.test(value), { error: "must be IPv4 or IPv6" }));
/** The cloud never shows what a rule says: only that it is there (docs/contract.md#3). */
const unseen = { unreadable: true } as const;

export const securityGroupRule = defineResource({
  name: "security-group-rule",
  about:
    "Traffic that a security group lets through. It is attached to one group and has no effect elsewhere.",
  timeouts: { create: 300, read: 120, update: 300, delete: 600 },
  parents: ["vpcId"],
  // A rule that is attached to no group is in no list. It may have been detached outside, or deleted: what is left of
  // it is deleted and it is made anew, so that none stays behind and the group gets back what it had.
  visibleThrough: "securityGroupId",
  fields: {
    vpcId: field(z.string(), "VPC it belongs to.", { references: "vpc" }),
    securityGroupId: field(
      z.string(),
      "Group it is attached to; a change moves it, and for a moment it is in neither.",
      { references: "security-group", change: "update", deferred: true },
    ),
    direction: field(z.enum(["ingress", "egress"]), "Whether it lets traffic in or out.", unseen),
    ethertype: field(z._default(ethertype, "IPv4"), "IPv4 or IPv6.", { ...unseen, same: equalsIgnoreCase }),
    protocol: field(z.string(), "Protocol of the traffic: tcp, udp, icmp or all.", {
      ...unseen,
      known: ["tcp", "udp", "icmp", "all"],
      same: equalsIgnoreCase,
    }),
    portRangeMin: field(z.optional(port), "First port. Default: every port.", unseen),
    portRangeMax: field(z.optional(port), "Last port. Default: every port.", unseen),
    remoteIpPrefix: field(cidr, "Range of addresses at the other end.", { ...unseen, same: sameCidr }),
    description: field(z.optional(z.string()), "What it is for.", unseen),
  },
  rules: [
    {
      needs: ["portRangeMin", "portRangeMax"],
      check({ portRangeMin: min, portRangeMax: max }) {
        if (min === undefined && max === undefined) return undefined;
        if (min === undefined)
          return { path: ["portRangeMin"], problem: "is due where a last port is given" };
        if (max === undefined)
          return { path: ["portRangeMax"], problem: "is due where a first port is given" };
        return min > max
          ? { path: ["portRangeMin"], problem: `must not be above the last port, ${max}` }
          : undefined;
      },
    },
  ],
})({
  /** Attached ones: once for each group that has it. */
  async list({ api, region, vpcId }) {
    const groups = await listGroups(api, region, vpcId);
    return groups.flatMap(({ id: securityGroupId, rules }) =>
      (rules ?? []).map((id) => ({ id, vpcId, securityGroupId, region })),
    );
  },
  // A row suffices where it is that of the group asked for; a rule may be in several.
  whole: (row, { securityGroupId = row.securityGroupId }) =>
    row.securityGroupId === securityGroupId ? row : undefined,

  async create({ api, inputs }) {
    const kind = inputs.ethertype.toLowerCase();
    const answer = await makeRule(api, { ...inputs, ethertype: kind }).catch((error) => {
      // Nothing was made; some clouds want the other spelling (docs/contract.md#17.3).
      if (error instanceof CloudError && error.status === 400)
        return makeRule(api, { ...inputs, ethertype: kind.replace("ip", "IP") });
      throw error;
    });
    return { id: createdId(answer, ruleIds) };
  },

  async read({ remembered, ...rule }) {
    const groups = await holders(rule);
    const [first] = groups;
    if (first === undefined) return undefined;
    const own = groups.find((group) => group === remembered.securityGroupId);
    return { vpcId: rule.vpcId, securityGroupId: own ?? first, region: rule.region };
  },

  async update({ inputs: { securityGroupId }, prior, ...rule }) {
    // Out of the old one first: once the new one shows it, nothing of the move is left to do.
    if (prior.securityGroupId !== undefined && prior.securityGroupId !== securityGroupId)
      await detach(rule, prior.securityGroupId);
    await rule.api.send(routes.attach, attachment(rule, securityGroupId));
  },

  async delete({ prior, ...rule }) {
    if (prior.securityGroupId !== undefined) await detach(rule, prior.securityGroupId);
    try {
      await rule.api.send(routes.delete, { path: { rule: rule.id }, headers: { accept: "*/*" } });
    } catch (error) {
      // Somebody attached it to other groups too.
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
      // A range is due even where ports have no meaning (docs/contract.md#3).
      portMinRange: content.portRangeMin ?? firstPort,
      portMaxRange: content.portRangeMax ?? lastPort,
      remoteIPPrefix: content.remoteIpPrefix,
      vpcid: vpcId,
      description,
    },
  });

interface Rule {
  readonly api: Api;
  readonly id: string;
  readonly region: string;
  readonly vpcId: string;
}

const attachment = ({ id, vpcId }: Rule, group: string) => ({
  body: { ruleid: id, securityid: group, vpcid: vpcId },
});

/** The groups that a rule is attached to. */
async function holders({ api, region, vpcId, id }: Rule): Promise<string[]> {
  const groups = await listGroups(api, region, vpcId);
  return groups.filter(({ rules }) => rules?.some((rule) => sameId(rule, id))).map(({ id }) => id);
}

/** What is not attached, and what is gone with its group, is detached already. */
async function detach(rule: Rule, group: string): Promise<void> {
  try {
    await rule.api.send(routes.detach, attachment(rule, group));
  } catch (error) {
    const already = isConflict(error) && !(await holders(rule)).includes(group);
    if (!already && !isNotFound(error)) throw error;
  }
}

const routes = {
  create: endpoint("create", "POST /securityGroup/v1/rule", created),
  attach: endpoint("action", "POST /securityGroup/v1/attachrule"),
  detach: endpoint("action", "POST /securityGroup/v1/deattachrule"),
  delete: endpoint("delete", "DELETE /securityGroup/v1/rule/{rule}"),
};
