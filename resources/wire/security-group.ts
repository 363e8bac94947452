import * as z from "zod/mini";
import { completeId } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybe, maybeNumber, maybeText } from "../../provider/definition/validator.ts";
import { everyRow } from "./page.ts";
import { insideMissing } from "./vpc.ts";

/**
 * Security groups: the group list of a VPC, which is the only response with groups and rules, and the create responses,
 * which have several formats (docs/contract.md#3).
 */

/** Schema of a listed rule: its id, or an object that contains the id (docs/contract.md#16). */
const rule = z.union([
  z.string(),
  z.pipe(
    z.object({ id: z.string() }),
    z.transform(({ id }) => id),
  ),
]);

const group = z.object({
  id: z.string(),
  name: maybeText,
  description: maybeText,
  createdAt: maybeText,
  rules: maybe(z.array(rule)),
});

/** Route that lists the security groups of a VPC. */
export const groupList = endpoint(
  "read",
  "GET /securityGroup/v1/{vpc}",
  z.union([
    z.object({
      result: z.array(group),
      pagination: maybe(z.object({ totalCount: maybeNumber, total_count: maybeNumber })),
    }),
    z.object({ items: z.array(group), totalCount: maybeNumber }),
  ]),
);

/** Page size of the list, whose pages are requested by offset (docs/contract.md#17.3). */
const limit = 1000;

/** Group with the ids of its attached rules. */
export type GroupRow = z.infer<typeof group>;

/** Lists the security groups of a VPC. */
export async function listGroups(api: Api, region: string, vpcId: string): Promise<readonly GroupRow[]> {
  const rows = await everyRow({
    route: groupList,
    what: "security groups",
    full: limit,
    async ask(_, offset) {
      const answer = await api.find(groupList, { path: { vpc: vpcId }, query: { limit, offset } });
      if (answer === undefined) return undefined;
      if ("items" in answer) return { rows: answer.items, totalCount: answer.totalCount };
      return { rows: answer.result, ...answer.pagination };
    },
    keyOf: ({ id }) => id || undefined,
  });
  return rows ?? insideMissing(api, region, vpcId);
}

const ids = {
  krn: maybeText,
  id: maybeText,
  securityGroupId: maybeText,
  securityid: maybeText,
  rulekrn: maybeText,
  ruleid: maybeText,
  securityGroupRuleId: maybeText,
};

/**
 * Schema of the create response of a group or a rule: the id has one of several names, at the top level or in `result`.
 */
export const created = z.optional(z.object({ ...ids, result: maybe(z.object(ids)) }));

/** Names of the id of a created object, in addition to `krn` and `id`. */
export const groupIds = ["securityGroupId", "securityid"] as const;
export const ruleIds = ["rulekrn", "ruleid", "securityGroupRuleId"] as const;

/**
 * Returns the id in a create response, preferably the KRN (docs/contract.md#16). Returns a masked id only if no complete
 * one exists.
 */
export function createdId(
  answer: z.infer<typeof created>,
  names: typeof groupIds | typeof ruleIds,
): string | undefined {
  const found = [answer?.result, answer].flatMap((part) =>
    ["krn" as const, "id" as const, ...names].flatMap((name) => part?.[name] ?? []),
  );
  const complete = found.filter((id) => completeId(id) !== undefined);
  return complete.find((id) => id.startsWith("krn:")) ?? complete[0] ?? found[0];
}

/** Routes of a security group. */
export const groupRoutes = {
  create: endpoint("create", "POST /securityGroup/v1", created, {
    body: json<{ name: string; description: string | undefined; type?: string | undefined; vpcid: string }>(),
  }),
  delete: endpoint("delete", "DELETE /securityGroup/v1/{group}"),
};

export interface Attachment {
  readonly ruleid: string;
  readonly securityid: string;
  readonly vpcid: string;
}

/** Routes of a rule of a security group. */
export const ruleRoutes = {
  create: endpoint("create", "POST /securityGroup/v1/rule", created, {
    body: json<{
      direction: string;
      ethertypes: string;
      protocol: string;
      portMinRange: number;
      portMaxRange: number;
      remoteIPPrefix: string;
      vpcid: string;
      description: string | undefined;
    }>(),
  }),
  attach: endpoint("action", "POST /securityGroup/v1/attachrule", undefined, { body: json<Attachment>() }),
  detach: endpoint("action", "POST /securityGroup/v1/deattachrule", undefined, { body: json<Attachment>() }),
  delete: endpoint("delete", "DELETE /securityGroup/v1/rule/{rule}"),
};
