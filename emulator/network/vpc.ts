import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  dependents,
  existing,
  isRepeatedDelete,
  newKrn,
  newResource,
  ownedBy,
  refuseDuplicateName,
  taskStatus,
} from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional, text, zeroIpVersion } from "../model/schema.ts";
import type { Resource } from "../state/store.ts";
import { startSteps, type Work, workState } from "../state/work.ts";
import { blockingPorts } from "./port-model.ts";
import { groupsOf, insertGroup, insertRule } from "./security-group-model.ts";
import { insertSubnet, type SubnetData, subnetModel } from "./subnet-model.ts";
import { networkModel, networkOf, requireVpc, type Vpc, vpcModel } from "./vpc-model.ts";
import { vpcReads } from "./vpc-read.ts";

/** Subnet in `create_vpc`: zero values in all fields mean no subnet (docs/contract.md#2.1). */
const primarySubnet = z.strictObject({
  name: z.string().optional(),
  cidr: z.string().optional(),
  gateway_ip: z.string().optional(),
  description: z.string().optional(),
  ip_version: zeroIpVersion.default(4),
  ingress: z.boolean().optional(),
  egress: z.boolean().optional(),
});

function wantedSubnet(data: z.output<typeof primarySubnet>): SubnetData | undefined {
  const { name = "", cidr = "", gateway_ip = "" } = data;
  if (name === "" && cidr === "" && gateway_ip === "") return undefined;
  if (name === "") throw new Refusal(400, "subnet.name: required");
  if (cidr === "") throw new Refusal(400, "subnet.cidr: required");
  return { ...data, name, cidr };
}

const fiveObjects = {
  security_group: z.strictObject({ name: text, description: z.string().optional() }).optional(),
  security_group_rule: z
    .strictObject({
      direction: z.enum(["ingress", "egress"]),
      ethertypes: z.enum(["IPv4", "IPv6", "ipv4", "ipv6"]),
      protocol: text,
      portMinRange: z.int(),
      portMaxRange: z.int(),
      remoteIPPrefix: text,
    })
    .optional(),
};

/** Creates the security group of the five-object form, or the default group of PY2 (docs/contract.md#2.1). */
function makeDefaultGroup(
  cloud: Cloud,
  vpc: Vpc,
  { security_group: group, security_group_rule: rule }: z.output<z.ZodObject<typeof fiveObjects>>,
): void {
  if (!group && !cloud.decide("vpcMakesDefaultGroup")) return;
  const { krn } = insertGroup(cloud, vpc, group ?? { name: "default" }, true);
  if (rule) insertRule(cloud, { region: vpc.region, vpc: vpc.krn, groups: [krn] }, rule);
}

const createVpc = operation({
  name: "create_vpc",
  method: "POST",
  path: "/v1/highlvlvpc/create_vpc_async",
  section: "2.1",
  source: "seed",
  headers: regional,
  body: z
    .strictObject({
      vpc: z.strictObject({
        name: text,
        description: z.string().optional(),
        enabled: z.boolean().default(true),
      }),
      network: z.strictObject({ name: text, admin_state_up: z.boolean().default(true) }),
      subnet: primarySubnet,
      ...fiveObjects,
    })
    .refine((body) => (body.security_group === undefined) === (body.security_group_rule === undefined), {
      error: "three objects (vpc, network, subnet) or five (with security_group and security_group_rule)",
    }),
  handle(cloud, { headers, body }) {
    const region = headers["x-region"];
    if (!body.security_group && cloud.decide("vpcNeedsGroup"))
      throw new Refusal(400, "security_group: required; security_group_rule: required");
    const subnet = wantedSubnet(body.subnet);
    const names = [body.vpc.name, body.network.name, ...(subnet ? [subnet.name] : [])];
    names.forEach(refuseByName);
    refuseDuplicateName(cloud, vpcModel(cloud).all(), region, "VPC", body.vpc.name);
    const { taskMs } = cloud.settings;
    const steps = startSteps(cloud.now, taskMs, names.map(failureByName));
    const [vpcWork, networkWork, subnetWork] = steps as [Work, Work, Work?];
    const common = newResource(cloud, "vpc", "vpc", region);
    const { krn: vpcKrn } = common;
    if (subnet && subnetWork) {
      insertSubnet(cloud, { vpcKrn, region, primary: true, work: subnetWork, field: "subnet" }, subnet);
    }
    const taskId = cloud.store.newUuid("task");
    const vpc = vpcModel(cloud).insert({
      ...common,
      name: body.vpc.name,
      parents: [],
      work: vpcWork,
      builtAt: Math.max(...steps.map((work) => work.endsAt)),
      taskId,
      description: body.vpc.description ?? "",
      enabled: body.vpc.enabled,
      routerKrn: newKrn(cloud, "vpc", region, "router"),
    });
    networkModel(cloud).insert({
      ...newResource(cloud, "vpc", "network", region),
      name: body.network.name,
      parents: [vpcKrn],
      owned: true,
      work: networkWork,
      adminStateUp: body.network.admin_state_up,
    });
    makeDefaultGroup(cloud, vpc, body);
    if (cloud.settings.assume.vpcCreateAnswersEmpty) return { status: 202 };
    return { status: 202, body: { message: "VPC creation accepted", status: "accepted", task_id: taskId } };
  },
});

/** Renders a part of the VPC in its task: the KRN is set once the part is created (docs/contract.md#2.1). */
function taskPart(cloud: Cloud, resource: Resource) {
  const state = workState(resource.work, cloud.now);
  const error = state === "failed" ? { message: resource.work.failure, code: 500 } : null;
  return { status: taskStatus(cloud, resource.work), krn: state === "success" ? resource.krn : null, error };
}

const getVpcTaskStatus = operation({
  name: "get_vpc_task_status",
  method: "POST",
  changes: false,
  path: "/v1/highlvlvpc/get_vpc_task_status",
  section: "2.1",
  source: "seed",
  headers: regional,
  body: z.strictObject({ task_id: text }),
  handle(cloud, { headers, body }) {
    const vpc = existing(cloud, vpcModel(cloud).all()).find((resource) => resource.taskId === body.task_id);
    // docs/contract.md#1.6: the message for an unknown task id.
    if (!vpc || vpc.region !== headers["x-region"]) throw new Refusal(404, "Record not found");
    const part = (resource: Resource) => taskPart(cloud, resource);
    const subnets = existing(cloud, subnetModel(cloud).all()).filter(
      (resource) => resource.owned && resource.parents[0] === vpc.krn,
    );
    const network = networkOf(cloud, vpc);
    const tasks = [
      { field: "vpc", ...part(vpc) },
      ...(network ? [{ field: "network", ...part(network) }] : []),
      ...subnets.map((resource) => ({ field: "subnet", ...part(resource), subnet_list: [part(resource)] })),
    ];
    if (cloud.settings.assume.vpcTaskShape === "nested") return { status: 200, body: { data: { tasks } } };
    const parts = [vpc, ...(network ? [network] : []), ...subnets];
    const inState = (states: readonly string[]) =>
      parts.find(({ work }) => states.includes(workState(work, cloud.now)));
    const { status, error } = part(inState(["failed"]) ?? inState(["pending", "processing"]) ?? vpc);
    return { status: 200, body: { task_id: body.task_id, status, error } };
  },
});

const deleteVpc = operation({
  name: "delete_vpc",
  method: "DELETE",
  path: "/v1/highlvlvpc/delete_vpc",
  section: "2.1",
  source: "seed",
  headers: regional,
  query: z.strictObject({ vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    if (isRepeatedDelete(cloud, vpc, `VPC ${vpc.krn} not found`)) return { status: 202 };
    if (cloud.now < vpc.builtAt) throw new Refusal(409, `cannot delete vpc ${vpc.name}: it is being created`);
    const present = groupsOf(cloud, vpc.krn);
    const groups = present.length > 0 && cloud.decide("vpcDeleteWithGroups") === "removes" ? present : [];
    const idle = blockingPorts(cloud, vpc.krn);
    const blockers = [...dependents(cloud, vpc.krn), ...idle].filter(
      (resource) => !groups.some(({ krn }) => krn === resource.krn),
    );
    if (blockers.length > 0) {
      const names = blockers.map((resource) => resource.krn).join(", ");
      throw new Refusal(409, `cannot delete vpc ${vpc.name}: still in use by ${names}`);
    }
    const owned = ownedBy(cloud, vpc.krn);
    const ports = owned.flatMap((resource) => ownedBy(cloud, resource.krn));
    const gone = new Set<Resource>([vpc, ...groups, ...owned, ...ports]);
    for (const resource of gone) deleteResource(cloud, resource, cloud.settings.taskMs);
    return { status: 202 };
  },
});

/** VPCs, each with a network and an optional primary subnet. */
export const vpcKind: ResourceKind = {
  name: "vpc",
  operations: [createVpc, getVpcTaskStatus, ...vpcReads, deleteVpc],
};
