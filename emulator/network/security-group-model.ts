import { Refusal } from "../http/wire.ts";
import { type Cloud, existing, listed, lookUp, newResource } from "../model/cloud.ts";
import { uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";
import type { Vpc } from "./vpc-model.ts";

export type SecurityGroup = Resource & { readonly description: string; readonly type: string | null };

/** Rule. Its parent is its VPC, which the create or the first attachment sets. It can be attached to several groups. */
export type Rule = Resource & {
  parents: readonly string[];
  readonly direction: "ingress" | "egress";
  readonly ethertype: "IPv4" | "IPv6";
  readonly protocol: string;
  readonly portMin: number;
  readonly portMax: number;
  readonly remote: string;
  readonly description: string;
  /** KRNs of the groups that the rule is attached to. */
  groups: readonly string[];
};

/** Fields of a rule with the names of docs/contract.md#3. */
export type RuleData = {
  direction: "ingress" | "egress";
  ethertypes: string;
  protocol: string;
  portMinRange: number;
  portMaxRange: number;
  remoteIPPrefix: string;
  description?: string | undefined;
};

export const groupModel = (cloud: Cloud) => cloud.store.model<SecurityGroup>("security_group");
export const ruleModel = (cloud: Cloud) => cloud.store.model<Rule>("security_group_rule");

/** Returns the group of a KRN in a region; else 404. */
export function requireGroup(cloud: Cloud, krn: string, region: string): SecurityGroup {
  return lookUp(cloud, groupModel(cloud), krn, `security group ${krn} not found`, region);
}

/** Returns the existing groups of a VPC. */
export function groupsOf(cloud: Cloud, vpcKrn: string): SecurityGroup[] {
  return existing(cloud, groupModel(cloud).all()).filter((group) => group.parents[0] === vpcKrn);
}

/** Returns the rule of a KRN or a bare UUID (docs/contract.md#16.1); else 404. */
export function requireRule(cloud: Cloud, id: string, region: string): Rule {
  const table = ruleModel(cloud);
  const krn = id.includes(":") ? id : table.all().find((rule) => uuidOf(rule.krn) === id)?.krn;
  return lookUp(cloud, table, krn ?? id, `rule ${id} not found`, region);
}

/** Returns the attached rules of each group by its KRN, at the listing time. */
export function rulesByGroup(cloud: Cloud): Map<string, Rule[]> {
  const attached = listed(cloud, ruleModel(cloud).all()).flatMap((rule) =>
    rule.groups.map((group) => ({ group, rule })),
  );
  const byGroup = Map.groupBy(attached, ({ group }) => group);
  return new Map([...byGroup].map(([group, entries]) => [group, entries.map(({ rule }) => rule)]));
}

/** Inserts a group; `owned` for one that is created and deleted with its VPC. */
export function insertGroup(
  cloud: Cloud,
  vpc: Pick<Vpc, "krn" | "region">,
  data: { name: string; description?: string | undefined; type?: string | undefined },
  owned = false,
): SecurityGroup {
  return groupModel(cloud).insert({
    ...newResource(cloud, "sg", "sg", vpc.region),
    name: data.name,
    parents: [vpc.krn],
    owned,
    description: data.description ?? "",
    type: data.type ?? null,
  });
}

/** Inserts a rule. It has no effect until it is attached and does not block the deletion of its VPC. */
export function insertRule(
  cloud: Cloud,
  place: { region: string; vpc: string | undefined; groups: readonly string[] },
  data: RuleData,
): Rule {
  const resource = newResource(cloud, "sgr", "sgr", place.region);
  return ruleModel(cloud).insert({
    ...resource,
    name: uuidOf(resource.krn),
    parents: place.vpc === undefined ? [] : [place.vpc],
    owned: true,
    direction: data.direction,
    ethertype: data.ethertypes.toLowerCase() === "ipv6" ? "IPv6" : "IPv4",
    protocol: data.protocol.toLowerCase(),
    portMin: data.portMinRange,
    portMax: data.portMaxRange,
    remote: data.remoteIPPrefix,
    description: data.description ?? "",
    groups: [...place.groups],
  });
}

/** Returns the groups of the KRNs; rejects unknown ones and those of another VPC. */
export function requireGroups(cloud: Cloud, vpc: Vpc, krns: readonly string[]): SecurityGroup[] {
  return krns.map((krn) => {
    const group = requireGroup(cloud, krn, vpc.region);
    requireSameVpc(group, vpc, `security group ${group.name}`);
    return group;
  });
}

/** Rejects a group or rule of another VPC. */
export function requireSameVpc(
  resource: SecurityGroup | Rule,
  vpc: Pick<Vpc, "krn" | "name">,
  what: string,
): void {
  if (resource.parents[0] !== vpc.krn) throw new Refusal(400, `${what} is not of VPC ${vpc.name}`);
}
