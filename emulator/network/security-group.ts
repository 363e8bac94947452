import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, dependents, listed, refuseDuplicateName } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, offset, regional, text } from "../model/schema.ts";
import { isoTime } from "../state/clock.ts";
import { uuidOf } from "../state/id.ts";
import {
  groupModel,
  insertGroup,
  insertRule,
  type Rule,
  requireGroup,
  rulesByGroup,
  type SecurityGroup,
} from "./security-group-model.ts";
import { requireReadyVpc, requireVpc } from "./vpc-model.ts";

/** Default rule of a new group: allows all egress. */
const everythingOut = {
  direction: "egress",
  ethertypes: "IPv4",
  protocol: "all",
  portMinRange: 1,
  portMaxRange: 65_535,
  remoteIPPrefix: "0.0.0.0/0",
} as const;

const describe = (group: SecurityGroup) => ({
  name: group.name,
  description: group.description,
  createdAt: isoTime(group.createdAt),
  updatedAt: isoTime(group.updatedAt),
});

/** Builds the response of a create in the shape that the switch selects (docs/contract.md#3). */
function createdGroup(cloud: Cloud, group: SecurityGroup): Record<string, unknown> {
  const summary = { message: "security group created", status: "success" };
  switch (cloud.settings.assume.groupCreateShape) {
    case "top":
      return { id: group.krn, ...describe(group), ...summary };
    case "result":
      return { ...summary, result: { id: group.krn, ...describe(group) } };
    case "named":
      return { ...summary, securityGroupId: group.krn };
  }
}

const createSecurityGroup = operation({
  name: "create_security_group",
  method: "POST",
  path: "/securityGroup/v1",
  section: "3",
  source: "seed",
  headers: regional,
  body: z.strictObject({
    name: text,
    description: z.string().optional(),
    vpcid: text,
    type: text.optional(),
  }),
  handle(cloud, { headers, body }) {
    refuseByName(body.name);
    const vpc = requireReadyVpc(cloud, body.vpcid, headers["x-region"]);
    refuseDuplicateName(cloud, groupModel(cloud).all(), vpc.krn, "security group", body.name);
    const group = insertGroup(cloud, vpc, body);
    if (cloud.decide("groupHasDefaultRules")) {
      insertRule(cloud, { region: vpc.region, vpc: vpc.krn, groups: [group.krn] }, everythingOut);
    }
    return { status: 201, body: createdGroup(cloud, group) };
  },
});

function listedRule(cloud: Cloud, rule: Rule): unknown {
  const id = cloud.settings.assume.ruleListId === "krn" ? rule.krn : uuidOf(rule.krn);
  if (cloud.settings.assume.groupListShape === "result") return id;
  return {
    id,
    direction: rule.direction,
    portRangeMin: rule.portMin,
    portRangeMax: rule.portMax,
    protocol: rule.protocol,
    remote: rule.remote,
  };
}

const listSecurityGroups = operation({
  name: "list_security_groups",
  method: "GET",
  path: "/securityGroup/v1/{vpc}",
  section: "3",
  source: "seed",
  headers: regional,
  query: z
    .strictObject({
      limit: count.optional(),
      offset: offset.optional(),
      page: count.optional(),
      sortBy: z.enum(["createdAt", "name"]).optional(),
      sortOrder: z.enum(["asc", "desc"]).optional(),
    })
    .refine((query) => query.offset === undefined || query.page === undefined, {
      error: "offset or page, not both",
    }),
  handle(cloud, { headers, query, path }) {
    const { groupPageDefault, groupPageMax, groupListShape, groupTotalSpelling } = cloud.settings.assume;
    const vpc = requireVpc(cloud, path.vpc, headers["x-region"]);
    const groups = listed(cloud, groupModel(cloud).all()).filter(
      (resource) => resource.parents[0] === vpc.krn,
    );
    if (query.sortBy === "name") groups.sort((a, b) => (a.name < b.name ? -1 : 1));
    if (query.sortOrder === "desc") groups.reverse();
    const limit = Math.min(query.limit ?? groupPageDefault, groupPageMax);
    const from = query.offset ?? ((query.page ?? 1) - 1) * limit;
    const rules = rulesByGroup(cloud);
    const rows = groups.slice(from, from + limit).map((group) => ({
      id: group.krn,
      ...describe(group),
      rules: (rules.get(group.krn) ?? []).map((rule) => listedRule(cloud, rule)),
    }));
    if (groupListShape === "items") return { status: 200, body: { items: rows, totalCount: groups.length } };
    return {
      status: 200,
      body: { result: rows, pagination: { limit, offset: from, [groupTotalSpelling]: groups.length } },
    };
  },
});

const deleteSecurityGroup = operation({
  name: "delete_security_group",
  method: "DELETE",
  path: "/securityGroup/v1/{group}",
  section: "3",
  source: "seed",
  headers: regional,
  handle(cloud, { headers, path }) {
    const group = requireGroup(cloud, path.group, headers["x-region"]);
    const users = dependents(cloud, group.krn);
    if (users.length > 0) {
      const names = users.map((resource) => resource.name).join(", ");
      throw new Refusal(409, `security group ${group.name} is in use by ${names}`);
    }
    // The rules belong to the VPC and are kept (docs/contract.md#3).
    deleteResource(cloud, group, 0);
    return { status: 204 };
  },
});

/** Security groups of a VPC. */
export const securityGroupKind: ResourceKind = {
  name: "security_group",
  operations: [createSecurityGroup, listSecurityGroups, deleteSecurityGroup],
};
